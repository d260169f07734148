local a, b = io.read("n", "n")
local function down(n) if n == 0 then return 0 end return 1 + down(n - 1) end
print(a + b + down(100000) - 100000)
