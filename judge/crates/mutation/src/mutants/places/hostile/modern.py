"""Decorators, walrus, match, comprehensions, slices, f-strings: Python of today."""
import sys
from collections import deque
from dataclasses import dataclass, field
from functools import lru_cache

sys.setrecursionlimit(10 ** 6)


@dataclass(order=True)
class Item:
    weight: int = 1 + 1
    name: str = field(default="x", compare=False)
    tags: list[int] = field(default_factory=list)


@lru_cache(maxsize=None)
def ways(n: int, /, *, step: int = 2) -> int:
    """n < 2 is the end."""
    if not n > 0:
        return 1
    return ways(n - 1, step=step) + (ways(n - step, step=step) if n >= step else 0)


def classify(value, *rest, **named):
    match value:
        case 0 | 1:
            return "small"
        case int() if value < 0 or value % 2 == 1:
            return f"odd {value!r:>{2 + 4}} {'neg' if value < 0 else 'pos'}"
        case [first, *others] if len(others) > 1:
            return f"{first + 1} {others[::-1]} {len(others)=}"
        case {"key": inner, **more}:
            return classify(inner)
        case _:
            return "other"


async def never(x):
    async for y in x:
        await y
    return [z async for z in x if z > 1]


def main():
    n, *rest = map(int, sys.stdin.read().split())
    grid = [[0] * n for _ in range(n)]
    for i, row in enumerate(grid):
        row[i % n] += rest[i] if i < len(rest) else -1
    best = None
    total = 0
    while (k := total + 1) < n and 0 <= k < n:
        total += 1
        if total == 3: break
        elif total > 5:
            pass
        else:
            best = max(best or 0, k)
    copy = rest[:]
    copy.sort(key=lambda v: (-v, v % 2), reverse=True)
    queue = deque([1, 2, 3]); queue.rotate(1)
    queue.append(queue.popleft() if queue else 0)
    small, = {x for x in copy if x < 2 and x not in (5, 6)} or {0},
    squares = {x: x * x for x in copy if x & 1}
    try:
        assert n > 0, "never"
        print(*sorted(set(copy)), sep=" ")
    except (ValueError, IndexError) as error:
        raise
    finally:
        total -= 1
    print(total, best, [x // 2 for x in copy][1:-1], len(squares), sum(small))
    print(classify(0), classify(-3), classify([1, 2, 3]), classify({"key": 7}), ways(n % 10), sep="\n")
    print(sum(row.count(0) for row in grid), list(queue), Item() < Item(3), "%d %s" % (n, "a" "b" + 'c'))
    global last
    last = n ** 2 @ 1 if n is None else n << 1


if __name__ == "__main__":
    main()
