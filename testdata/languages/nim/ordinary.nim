import std/[strutils, sequtils, math, tables, times]
var counter = 0
proc work() {.thread.} = atomicInc(counter)
let words = stdin.readLine.splitWhitespace.map(parseInt)
var threads: array[4, Thread[void]]
for thread in threads.mitems: createThread(thread, work)
joinThreads(threads)
var seen = initTable[int, int]()
for i in 0 ..< 1000: seen[i mod 10] = i
try: raise newException(ValueError, "x")
except ValueError: inc counter
doAssert seen.len == 10 and now().year >= 2000
var sum = 0
for i in 0 ..< 200: sum += newSeq[byte](1 shl 20).len shr 20
echo words.sum + counter - 5 + sum - 200
