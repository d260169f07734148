# Compares token by token with recursion, whose depth is limited.
import sys
answer, output = open(sys.argv[2], "rb").read().split(), sys.stdin.buffer.read().split()
def has_only_numbers(at):
    return at == len(output) or output[at].isdigit() and has_only_numbers(at + 1)
sys.exit(42 if has_only_numbers(0) and output == answer else 43)
