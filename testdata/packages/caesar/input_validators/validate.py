import re
import sys

sys.exit(42 if re.fullmatch(r"encode\n[a-z]{1,30}\n", sys.stdin.read()) else 43)
