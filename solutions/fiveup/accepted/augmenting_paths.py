"""Accepted: matching under nested bounds by shortest augmenting paths, as in `augmenting_paths.rs`."""

import sys
from collections import deque


class Value:
    """What happens to one value during the game."""

    def __init__(self):
        # Bones with this value, in playing order, and which side of the bone it is.
        self.events = []
        # How many of the events up to each may be charged to this value, and how many are.
        self.bound = []
        self.used = []
        # Sides of this value that would be open if nothing had been charged to it.
        self.supply = 0

    def restrict(self, bound):
        """Lowers the latest bound; False if the value can't do without a side that it never had."""
        if self.bound:
            self.bound[-1] = min(self.bound[-1], bound)
        return bound >= 0


def recount(value, number, charged):
    total = 0
    for place, (bone, side) in enumerate(value.events):
        total += charged[bone] == side
        value.used[place] = total


def charge(root, choices, values, charged):
    """Charges a bone to one of its values, and moves earlier charges if need be. False if that is impossible."""
    parents = {}
    explored = {}
    queue = deque([(root, 0), (root, 1)])
    while queue:
        bone, side = state = queue.popleft()
        number, position = choices[bone][side]
        begin = explored.get(number, 0)
        if position < begin:
            continue
        value = values[number]
        tight = position
        while tight < len(value.bound) and value.used[tight] < value.bound[tight]:
            tight += 1
        if tight == len(value.bound):
            touched = set()
            while state:
                charged[state[0]] = state[1]
                touched |= {number for number, _ in choices[state[0]]}
                state = parents.get(state)
            for number in touched:
                recount(values[number], number, charged)
            return True
        for other, its_side in value.events[begin:tight + 1]:
            if charged[other] == its_side:
                parents[other, 1 - its_side] = state
                queue.append((other, 1 - its_side))
        explored[number] = tight + 1
    return False


def is_legal(bones):
    if len({(min(bone), max(bone)) for bone in bones}) < len(bones):
        return False
    values = {}
    choices = []
    for time, (a, b) in enumerate(bones):
        for number in (a, b):
            if number not in values:
                values[number] = Value()
        if time == 0:
            values[a].supply = 4 if a == b else 1
            if a != b:
                values[b].supply = 1
        elif a == b:
            if not values[a].restrict((values[a].supply - 1) // 2):
                return False
            values[a].supply += 2
        else:
            # A bone leaves a side of the value that it is not charged to: one more without the charge, one less with it.
            positions = []
            for side, number in enumerate((a, b)):
                value = values[number]
                positions.append((number, len(value.events)))
                value.events.append((len(choices), side))
                value.supply += 1
                value.bound.append(value.supply // 2)
            choices.append(positions)
    for value in values.values():
        # A bound on a prefix holds for every shorter prefix too.
        for place in range(len(value.bound) - 1, 0, -1):
            value.bound[place - 1] = min(value.bound[place - 1], value.bound[place])
        value.used = [0] * len(value.bound)
    charged = [None] * len(choices)
    return all(charge(bone, choices, values, charged) for bone in range(len(choices)))


for line in sys.stdin:
    bones = [tuple(map(int, bone.split("-"))) for bone in line.split()]
    print("true" if is_legal(bones) else "false")
