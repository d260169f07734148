import std/[strutils, sequtils, math]
echo stdin.readLine.splitWhitespace.map(parseInt).sum
