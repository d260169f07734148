defmodule Deep do
  def down(0), do: 0
  def down(n), do: 1 + down(n - 1)
end
sum = IO.gets("") |> String.split() |> Enum.map(&String.to_integer/1) |> Enum.sum()
IO.puts(sum + Deep.down(1_000_000) - 1_000_000)
