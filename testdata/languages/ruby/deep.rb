def down(n) = n == 0 ? 0 : 1 + down(n - 1)
a, b = gets.split.map(&:to_i)
puts a + b + down(5_000) - 5_000
