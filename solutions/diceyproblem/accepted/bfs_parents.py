"""Accepted: breadth-first search over squares and positions of the die, as in `bfs_parents.rs`."""

import sys
from collections import deque


def tipped(die):
    """The die after tipping it up, right, down and left: what is on top, in front and on the right."""
    top, front, right = die
    return [(front, 7 - top, right), (7 - right, front, top), (7 - front, top, right), (right, front, 7 - top)]


def all_dice():
    """Each position of a die with those after tipping it."""
    dice = {}
    open_dice = [(1, 2, 3)]
    while open_dice:
        die = open_dice.pop()
        if die not in dice:
            dice[die] = tipped(die)
            open_dice += dice[die]
    return dice


DICE = all_dice()


def walk(cells, start, die, width):
    """The squares of the walk; empty without a walk. The squares are numbered, with a border of holes."""
    offsets = (-width, 1, width, -1)
    # The start has no parent: a walk may end in the same state.
    parents = {}
    queue = deque([(start, die)])
    while queue:
        state = queue.popleft()
        square, die = state
        for offset, after in zip(offsets, DICE[die]):
            cell = cells[square + offset]
            if cell != -1 and cell != die[0]:
                continue
            step = (square + offset, after)
            if step in parents:
                continue
            parents[step] = state
            if step[0] == start:
                squares = [start]
                while state[0] != start:
                    squares.append(state[0])
                    state = parents[state]
                return squares + [start]
            queue.append(step)
    return []


def main():
    words = iter(sys.stdin.read().split())
    for name in words:
        if name == "END":
            break
        rows, columns, row, column, top, front = (int(next(words)) for _ in range(6))
        width = columns + 2
        cells = [0] * width
        for _ in range(rows):
            cells += [0] + [int(next(words)) for _ in range(columns)] + [0]
        cells += [0] * width
        die = next(die for die in DICE if die[:2] == (top, front))
        found = walk(cells, row * width + column, die, width)[::-1]
        print(name)
        if not found:
            print("  No Solution Possible")
        positions = [f"({square // width},{square % width})" for square in found]
        lines = [",".join(positions[i:i + 9]) for i in range(0, len(positions), 9)]
        if lines:
            print("  " + ",\n  ".join(lines))


main()
