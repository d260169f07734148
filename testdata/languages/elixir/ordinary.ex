[a, b] = IO.gets("") |> String.split() |> Enum.map(&String.to_integer/1)
n = 1..4 |> Enum.map(fn _ -> Task.async(fn -> 1 end) end) |> Enum.map(&Task.await/1) |> Enum.sum()
seen = Enum.frequencies_by(1..1000, &rem(&1, 10))
caught = try do raise "x" rescue RuntimeError -> 1 end
true = map_size(seen) == 10 and Regex.match?(~r/^a\d+$/, "a12") and Integer.pow(3, 1000) > 10 and DateTime.utc_now().year >= 2000
sum = Enum.reduce(1..200, 0, fn i, sum -> sum + byte_size(:binary.copy(<<i>>, 1_048_576)) end)
IO.puts(a + b + n - 4 + caught - 1 + div(sum, 1_048_576) - 200)
