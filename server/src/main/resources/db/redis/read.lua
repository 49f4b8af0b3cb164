-- Reads rows or a range of an index, together with what undoes the commits since the caller looked last.
-- Answers the number of the last commit; what undoes each commit since, oldest first, or nil when that is not kept any more;
-- and what was asked for.
--
-- KEYS: the log of undone changes, the number of the last commit, then the rows, or the one index set.
-- ARGV: the number of the commit that was seen last, empty at first; the bytes of rows with which the answer ends; then for a range the
-- command, its bounds and its limit.
local last = redis.call('GET', KEYS[2]) or '0-0'
local since = {}
if ARGV[1] ~= '' and ARGV[1] ~= last then
  local commits = redis.call('XRANGE', KEYS[1], '(' .. ARGV[1], '+')
  -- Each names the one before it, so it shows when one is missing.
  if #commits == 0 or commits[1][2][4] ~= ARGV[1] then
    return {last, false, {}}
  end
  for i = 1, #commits do
    since[i] = commits[i][2][2]
  end
end
if ARGV[3] then
  return {last, since, redis.call(ARGV[3], KEYS[3], ARGV[4], ARGV[5], 'LIMIT', 0, ARGV[6])}
end
local rows = {}
local bytes = 0
local most = tonumber(ARGV[2])
for i = 3, #KEYS do
  if bytes >= most then
    break
  end
  local row = redis.call('GET', KEYS[i])
  rows[i - 2] = row
  bytes = bytes + (row and #row or 0)
end
return {last, since, rows}
