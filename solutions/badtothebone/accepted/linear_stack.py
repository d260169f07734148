"""Accepted: one pass over the row with a stack, as in `linear_stack.rs`."""

import sys

PIPS = [(low, high) for low in range(7) for high in range(low, 7)]


def eliminate(row):
    kept = []
    for bone, left, right in row:
        if kept and kept[-1][2] == left:
            kept.pop()
        else:
            kept.append((bone, left, right))
    return kept


def main():
    words = sys.stdin.read().split()
    results, row = [], []
    for place in range(0, len(words) - 1, 2):
        bone = int(words[place])
        if bone == 0:
            kept = eliminate(row)
            results.append("".join(f"{left[0]} " for left in kept) if kept else "DATASET CLEARED")
            row = []
            continue
        low, high = PIPS[bone - 1]
        row.append((bone, low, high) if words[place + 1] == "F" else (bone, high, low))
    print("RESULTS OF ELIMINATIONS\n\n\n" + "\n\n".join(results))


main()
