import sys

assert len(open(sys.argv[1]).read().split()) == 2
