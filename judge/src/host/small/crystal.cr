puts gets.not_nil!.split.map(&.to_i).sum
