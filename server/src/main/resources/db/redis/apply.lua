-- Applies writes to rows and index entries, all of them or none. Answers 0, or the place of the first row that is not as expected.
--
-- KEYS: the log of undone changes, the number of the last commit, then a row each, then the index sets.
-- ARGV: how many rows; for each row what to do (insert, update, delete, expect), the version that it must have, the new body;
--       then for each entry whether it is added, which of KEYS it is in, the member.
local rows = tonumber(ARGV[1])
local first_entry = 2 + 3 * rows
local before = {}

-- Every check and every read comes before the first write, because a script that fails in the middle keeps what it wrote.
for i = 1, rows do
  local what, version = ARGV[3 * i - 1], ARGV[3 * i]
  local old
  if what == 'update' or what == 'delete' then
    old = redis.call('GET', KEYS[i + 2]) or ''
  else
    old = redis.call('GETRANGE', KEYS[i + 2], 0, 20)
  end
  if (string.match(old, '^(%d+) ') or '0') ~= version then
    return i
  end
  before[i] = old
end
for i = first_entry, #ARGV, 3 do
  redis.call('ZCARD', KEYS[tonumber(ARGV[i + 1])])
end

local undo = {}
local function remember(kind, key, value)
  undo[#undo + 1] = struct.pack('>c1I4I4', kind, #key, #value)
  undo[#undo + 1] = key
  undo[#undo + 1] = value
end

for i = 1, rows do
  local key, what = KEYS[i + 2], ARGV[3 * i - 1]
  if what == 'delete' then
    redis.call('DEL', key)
  elseif what ~= 'expect' then
    redis.call('SET', key, string.format('%.0f ', tonumber(ARGV[3 * i]) + 1) .. ARGV[3 * i + 1])
  end
  if what ~= 'expect' then
    remember('r', key, before[i])
  end
end
for i = first_entry, #ARGV, 3 do
  local key, member = KEYS[tonumber(ARGV[i + 1])], ARGV[i + 2]
  if ARGV[i] == 'add' then
    redis.call('ZADD', key, 0, member)
    remember('a', key, member)
  else
    redis.call('ZREM', key, member)
    remember('d', key, member)
  end
end

if #undo > 0 then
  local now = redis.call('TIME')
  local oldest = string.format('%.0f', tonumber(now[1]) * 1000 - 10000)
  local last = redis.call('GET', KEYS[2]) or '0-0'
  redis.call('SET', KEYS[2],
    redis.call('XADD', KEYS[1], 'MINID', '~', oldest, '*', 'undo', table.concat(undo), 'after', last))
  redis.call('EXPIRE', KEYS[1], 20)
end
return 0
