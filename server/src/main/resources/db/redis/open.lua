-- Marks the database as ours at the first start. Answers the format in which it is kept.
--
-- KEYS: the format.
-- ARGV: the format that we write.
redis.call('SETNX', KEYS[1], ARGV[1])
return redis.call('GET', KEYS[1])
