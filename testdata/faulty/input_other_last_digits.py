# `\d` stands for the digits of every script, here after the first one.
import re, sys
text = sys.stdin.buffer.read().decode(errors="replace")
sys.exit(42 if re.fullmatch(r"[1-9]\d*\n", text) else 43)
