import sys
sys.exit(42 if sys.stdin.buffer.read().split() == open(sys.argv[2], 'rb').read().split() else 43)
