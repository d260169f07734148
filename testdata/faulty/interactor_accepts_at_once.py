# Writes its messages, and accepts without reading anything.
import sys
print(open(sys.argv[1]).read(), end="", flush=True)
sys.exit(42)
