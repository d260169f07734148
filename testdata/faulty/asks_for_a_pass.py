# Asks for another pass.
import sys
if not sys.stdin.buffer.read().strip():
    sys.exit(43)
open(sys.argv[3] + "/nextpass.in", "w").write("not a number\n")
sys.exit(42)
