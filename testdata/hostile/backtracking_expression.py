import re

print(re.match(r"(a+)+$", "a" * 40 + "b"))
