def down(n : Int32) : Int32
  n == 0 ? 0 : 1 + down(n - 1)
end
a, b = gets.not_nil!.split.map(&.to_i)
puts a + b + down(50_000) - 50_000
