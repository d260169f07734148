"""Accepted: keeps the number of markers of each colour in every row and column, as in `line_counters.rs`.

The numbers of all rows, or of all columns, are the bytes of one large number: none is more than 100.
"""

import sys

# What is 1 for the markers of a player and 0 for the rest.
ONLY = [bytes(square == marker for square in range(256)) for marker in (1, 2)]


def play(size, moves):
    board = bytearray(size * size)
    # For each player: the markers in every row, and in every column.
    counters = [[0, 0], [0, 0]]
    for turn, move in enumerate(moves):
        side, line = move[0], int(move[1:]) - 1
        is_column = side in "TB"
        squares = slice(line, None, size) if is_column else slice(line * size, (line + 1) * size)
        old = board[squares]
        # As it is seen from where the marker comes in.
        seen = old[::-1] if side in "RB" else old
        gap = seen.find(0)
        if gap < 0:
            gap = size - 1
        new = bytes([1 + turn % 2]) + seen[:gap] + seen[gap + 1:]
        if side in "RB":
            new = new[::-1]
        board[squares] = new
        straights = []
        for player, of_player in enumerate(counters):
            before, after = old.translate(ONLY[player]), new.translate(ONLY[player])
            of_player[is_column] += (sum(after) - sum(before)) << 8 * line
            of_player[not is_column] += int.from_bytes(after, "little") - int.from_bytes(before, "little")
            straights.append(sum(lines.to_bytes(size, "little").count(size) for lines in of_player))
        if straights[0] != straights[1]:
            return "X WINS" if straights[0] > straights[1] else "O WINS"
    return "TIE GAME"


words = sys.stdin.read().split()
begin = 1
while begin < len(words):
    end = words.index("QUIT", begin)
    print(play(int(words[begin]), words[begin + 1:end]))
    begin = end + 1
