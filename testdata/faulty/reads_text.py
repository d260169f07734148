# Decodes the output, which may not be text.
import sys
sys.exit(42 if open(sys.argv[2]).read().split() == sys.stdin.read().split() else 43)
