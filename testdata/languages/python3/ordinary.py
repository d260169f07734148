import collections, datetime, re
from concurrent.futures import ThreadPoolExecutor
a, b = map(int, input().split())
with ThreadPoolExecutor(4) as pool:
    n = sum(pool.map(lambda x: 1, range(4)))
seen = collections.Counter(i % 10 for i in range(1000))
try:
    raise ValueError
except ValueError:
    n += 1
assert len(seen) == 10 and re.match(r"a\d+$", "a12") and 3 ** 1000 > 10 and datetime.datetime.now().year >= 2000
total = sum(len(bytearray(1 << 20)) >> 20 for _ in range(200))
print(a + b + n - 5 + total - 200)
