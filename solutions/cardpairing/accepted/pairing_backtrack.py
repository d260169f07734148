"""Accepted: pairs up one rank after the other and keeps what must go before what, as in `pairing_backtrack.rs`."""


def join(above, a, b):
    """Makes partners of two cards; None if one has to go before the other does."""
    pair = 1 << a | 1 << b
    if above[a] & pair != 1 << a or above[b] & pair != 1 << b:
        return None
    both = above[a] | above[b]
    return [cards | both if cards & pair else cards for cards in above]


def can_pair(ranks, above):
    """`above[card]`: the cards that have to go before this one does, itself included, as bits."""
    if not ranks:
        return True
    a, b, c, d = ranks[0]
    for one, other in [((a, b), (c, d)), ((a, c), (b, d)), ((a, d), (b, c))]:
        paired = join(above, *one)
        if paired:
            paired = join(paired, *other)
        if paired and can_pair(ranks[1:], paired):
            return True
    return False


def can_win(line):
    # Card `4 * s + h` is in stack `s` at height `h`.
    cards = line.replace(" ", "")
    ranks = [[card for card in range(36) if cards[card] == rank] for rank in "6789TJQKA"]
    above = [sum(1 << higher for higher in range(card, (card // 4 + 1) * 4)) for card in range(36)]
    return can_pair(ranks, above)


layouts = int(input())
print(*("yes" if can_win(input()) else "no" for _ in range(layouts)))
