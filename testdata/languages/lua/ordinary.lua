local a, b = io.read("n", "n")
local items, seen, count = {}, {}, 0
for i = 1, 1000 do items[i] = i; seen[i % 10] = i end
table.sort(items, function(x, y) return x > y end)
for _ in pairs(seen) do count = count + 1 end
local next_value = coroutine.wrap(function() coroutine.yield(4) end)
local fine = pcall(error, "x")
assert(items[1] == 1000 and count == 10 and not fine and ("a12"):match("^a%d+$") and os.time() > 1000000000)
local sum = 0
for i = 1, 200 do sum = sum + #(("x"):rep(1048576 + i)) - 1048575 - i end
print(a + b + next_value() - 4 + sum - 200)
