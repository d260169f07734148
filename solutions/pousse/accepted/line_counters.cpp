// Accepted: keeps the number of markers of each colour in every row and column, as in `line_counters.rs`.

#include <iostream>
#include <string>
#include <vector>

using namespace std;

const int EMPTY = 2;

struct Board {
    int size;
    vector<int> squares;
    // Markers per line, for each player: the rows, then the columns.
    vector<int> markers[2];
    int straights[2] = {0, 0};

    explicit Board(int size) : size(size), squares(size * size, EMPTY) {
        for (auto &of_player : markers) {
            of_player.assign(2 * size, 0);
        }
    }

    // Puts a marker on a square and returns what was there before.
    int replace(int row, int column, int marker) {
        int &square = squares[row * size + column];
        int old = square;
        square = marker;
        for (int line : {row, size + column}) {
            if (old != EMPTY && markers[old][line]-- == size) {
                straights[old]--;
            }
            if (++markers[marker][line] == size) {
                straights[marker]++;
            }
        }
        return old;
    }

    void insert(char side, int line, int player) {
        int hand = player;
        for (int step = 0; step < size && hand != EMPTY; step++) {
            int place = side == 'L' || side == 'T' ? step : size - 1 - step;
            if (side == 'L' || side == 'R') {
                hand = replace(line, place, hand);
            } else {
                hand = replace(place, line, hand);
            }
        }
    }
};

// Plays a game up to its QUIT, even if it is decided earlier.
string play(int size) {
    Board board(size);
    string result = "TIE GAME", text;
    int turn = 0;
    while (cin >> text && text != "QUIT") {
        if (board.straights[0] == board.straights[1]) {
            board.insert(text[0], stoi(text.substr(1)) - 1, turn % 2);
            turn++;
        }
    }
    if (board.straights[0] != board.straights[1]) {
        result = board.straights[0] > board.straights[1] ? "X WINS" : "O WINS";
    }
    return result;
}

int main() {
    int games, size;
    cin >> games;
    while (cin >> size) {
        cout << play(size) << "\n";
    }
}
