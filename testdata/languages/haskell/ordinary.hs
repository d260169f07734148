import Control.Concurrent
import Control.Exception
import Control.Monad
import qualified Data.Map.Strict as M
import Data.List (foldl', sort)
main = do
  [a, b] <- map read . words <$> getContents :: IO [Int]
  done <- newEmptyMVar
  replicateM_ 4 (forkIO (putMVar done 1))
  n <- sum <$> replicateM 4 (takeMVar done)
  let seen = M.fromListWith (+) [(x `mod` 10, 1 :: Int) | x <- [1 .. 1000 :: Int]]
  caught <- try (evaluate (1 `div` (0 :: Int))) :: IO (Either ArithException Int)
  when (M.size seen /= 10 || sort [3, 1, 2] /= [1, 2, 3 :: Int] || (3 :: Integer) ^ 1000 < 10) $ error "wrong"
  when (either (const False) (const True) caught) $ error "not caught"
  let total = foldl' (+) 0 [1 .. 5000000 :: Integer]
  print (a + b + n - 4 + fromIntegral (total - 12500002500000))
