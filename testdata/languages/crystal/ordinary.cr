require "big"
a, b = gets.not_nil!.split.map(&.to_i)
channel = Channel(Int32).new
4.times { spawn { channel.send 1 } }
n = 4.times.sum { channel.receive }
seen = Hash(String, Int32).new(0)
1000.times { |i| seen[(i % 10).to_s] += 1 }
begin
  raise "x"
rescue
  seen["0"] -= 1
end
exit 4 unless seen.size == 10 && "a12" =~ /^a\d+$/ && BigInt.new(3) ** 100 > 10 && Time.utc.year >= 2000
sum = 0
200.times { |i| sum += Bytes.new(1 << 20, 1_u8)[i] }
puts a + b + n - 4 + sum - 200
