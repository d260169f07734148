# `$` is the end of the text, and also the place before a newline at its end.
import re, sys
sys.exit(42 if re.match(rb"(0|[1-9][0-9]?)$", sys.stdin.buffer.read()) else 43)
