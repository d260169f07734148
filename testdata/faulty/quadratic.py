# Removes the first token repeatedly, which copies all others.
import sys
answer, output = open(sys.argv[2], "rb").read().split(), sys.stdin.buffer.read().split()
matches = len(output) > 0
while output:
    matches = matches and bool(answer) and output[0] == answer[0]
    output, answer = output[1:], answer[1:]
sys.exit(42 if matches and not answer else 43)
