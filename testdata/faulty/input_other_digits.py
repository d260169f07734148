# `\d` stands for the digits of every script.
import re, sys
text = sys.stdin.buffer.read().decode(errors="replace")
sys.exit(42 if re.fullmatch(r"\d\n", text) else 43)
