import std/[strutils, sequtils, math]
proc down(n: int): int = (if n == 0: 0 else: 1 + down(n - 1))
echo stdin.readLine.splitWhitespace.map(parseInt).sum + down(100000) - 100000
