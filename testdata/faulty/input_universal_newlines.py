# A file that is opened as text has no carriage returns: Python removes them.
import re, sys
text = open(0, errors="replace").read()
sys.exit(42 if re.fullmatch(r"(0|[1-9][0-9]?)\n", text) else 43)
