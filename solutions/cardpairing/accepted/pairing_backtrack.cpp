// Accepted: pairs up one rank after the other and keeps what must go before what, as in `pairing_backtrack.rs`.

#include <cstdint>
#include <iostream>
#include <string>
#include <vector>

using namespace std;

// For each card those that have to go before it does, itself included, as bits.
typedef vector<uint64_t> Above;

uint64_t bit(int card) {
    return UINT64_C(1) << card;
}

// Makes partners of two cards. False if one has to go before the other does.
bool join(Above &above, int a, int b) {
    uint64_t pair = bit(a) | bit(b);
    if ((above[a] & pair) != bit(a) || (above[b] & pair) != bit(b)) {
        return false;
    }
    uint64_t both = above[a] | above[b];
    for (uint64_t &cards : above) {
        if (cards & pair) {
            cards |= both;
        }
    }
    return true;
}

// The three ways to split four cards into pairs.
const int ORDERS[3][4] = {{0, 1, 2, 3}, {0, 2, 1, 3}, {0, 3, 1, 2}};

bool can_pair(const vector<vector<int>> &ranks, size_t from, const Above &above) {
    if (from == ranks.size()) {
        return true;
    }
    const vector<int> &cards = ranks[from];
    for (const int *order : ORDERS) {
        Above next = above;
        if (join(next, cards[order[0]], cards[order[1]]) && join(next, cards[order[2]], cards[order[3]]) &&
            can_pair(ranks, from + 1, next)) {
            return true;
        }
    }
    return false;
}

int main() {
    const string RANKS = "6789TJQKA";
    int layouts;
    cin >> layouts;
    for (int i = 0; i < layouts; i++) {
        // Card `4 * s + h` is in stack `s` at height `h`.
        vector<vector<int>> ranks(RANKS.size());
        Above above(36);
        for (int card = 0; card < 36; card++) {
            char rank;
            cin >> rank;
            ranks[RANKS.find(rank)].push_back(card);
            for (int higher = card; higher < (card / 4 + 1) * 4; higher++) {
                above[card] |= bit(higher);
            }
        }
        cout << (i == 0 ? "" : " ") << (can_pair(ranks, 0, above) ? "yes" : "no");
    }
    cout << endl;
}
