a, b = gets.split.map(&:to_i)
n = 0
4.times.map { Thread.new { n += 1 } }.each(&:join)
seen = (0...1000).group_by { |i| i % 10 }
begin
  raise 'x'
rescue RuntimeError
  n += 1
end
exit 4 unless seen.size == 10 && 'a12'.match?(/^a\d+$/) && 3**1000 > 10 && Time.now.year >= 2000
total = (1..200).sum { ('x' * 1_048_576).size >> 20 }
puts a + b + n - 5 + total - 200
