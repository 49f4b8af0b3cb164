-- Marks the database as ours at the first start. Answers the format in which it is kept.
--
-- KEYS: the format, the log of undone changes, the number of the last commit.
-- ARGV: the format that we write.
redis.call('SETNX', KEYS[1], ARGV[1])
if redis.call('EXISTS', KEYS[3]) == 0 then
  redis.call('SET', KEYS[3], redis.call('XADD', KEYS[2], '*', 'undo', ''))
end
return redis.call('GET', KEYS[1])
