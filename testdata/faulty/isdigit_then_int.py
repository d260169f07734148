# `isdigit` is true of superscripts, which `int` does not read.
import sys
sys.stdin.reconfigure(errors="replace")
answer, output = int(open(sys.argv[2]).read()), sys.stdin.read().split()
is_number = len(output) == 1 and len(output[0]) <= 100 and output[0].isdigit()
sys.exit(42 if is_number and int(output[0]) == answer else 43)
