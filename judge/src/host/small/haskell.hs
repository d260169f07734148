main = interact $ (++ "\n") . show . sum . map read . words
