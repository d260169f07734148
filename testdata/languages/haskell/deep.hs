down :: Int -> Int
down 0 = 0
down n = 1 + down (n - 1)
main = do
  [a, b] <- map read . words <$> getContents
  print (a + b + down 1000000 - 1000000)
