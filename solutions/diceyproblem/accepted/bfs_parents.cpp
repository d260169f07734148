// Accepted: breadth-first search over squares and positions of the die, as in `bfs_parents.rs`.

#include <algorithm>
#include <array>
#include <iostream>
#include <map>
#include <queue>
#include <string>
#include <vector>

using namespace std;

// Row, column, and the faces on top and in front. The face on the right follows from these two.
typedef array<int, 4> State;

// The face on the right of a die with these two.
int right_of(int top, int front) {
    // For each face on top those around it, each followed by the one on its right.
    static const int AROUND[6][4] = {{2, 3, 5, 4}, {1, 4, 6, 3}, {1, 2, 6, 5}, {1, 5, 6, 2}, {1, 3, 6, 4}, {2, 4, 5, 3}};
    const int *around = AROUND[top - 1];
    int place = find(around, around + 4, front) - around;
    return around[(place + 1) % 4];
}

struct Maze {
    // With a border of holes.
    vector<vector<int>> cells;
    State start;

    // The states that one move leads to.
    vector<State> moves(const State &state) const {
        auto [row, column, top, front] = state;
        int right = right_of(top, front);
        const State all[] = {{row - 1, column, front, 7 - top},
                             {row, column + 1, 7 - right, front},
                             {row + 1, column, 7 - front, top},
                             {row, column - 1, right, front}};
        vector<State> allowed;
        for (const State &next : all) {
            int cell = cells[next[0]][next[1]];
            if (cell == -1 || cell == top) {
                allowed.push_back(next);
            }
        }
        return allowed;
    }

    bool is_home(const State &state) const {
        return state[0] == start[0] && state[1] == start[1];
    }

    // The states of the walk; empty without a walk.
    vector<State> walk() const {
        // The start has no parent: a walk may end in the same state.
        map<State, State> parents;
        queue<State> open;
        open.push(start);
        while (!open.empty()) {
            State state = open.front();
            open.pop();
            for (const State &next : moves(state)) {
                if (!parents.emplace(next, state).second) {
                    continue;
                }
                if (is_home(next)) {
                    vector<State> walk{next};
                    do {
                        walk.push_back(parents[walk.back()]);
                    } while (!is_home(walk.back()));
                    reverse(walk.begin(), walk.end());
                    return walk;
                }
                open.push(next);
            }
        }
        return {};
    }
};

int main() {
    string name;
    while (cin >> name && name != "END") {
        int rows, columns, row, column, top, front;
        cin >> rows >> columns >> row >> column >> top >> front;
        Maze maze{vector<vector<int>>(rows + 2, vector<int>(columns + 2)), {row, column, top, front}};
        for (int i = 1; i <= rows; i++) {
            for (int j = 1; j <= columns; j++) {
                cin >> maze.cells[i][j];
            }
        }
        vector<State> walk = maze.walk();
        cout << name << "\n" << (walk.empty() ? "  No Solution Possible\n" : "");
        for (size_t i = 0; i < walk.size(); i++) {
            bool is_last = i + 1 == walk.size();
            cout << (i % 9 == 0 ? "  " : "") << "(" << walk[i][0] << "," << walk[i][1] << ")";
            cout << (is_last ? "" : ",") << (is_last || i % 9 == 8 ? "\n" : "");
        }
    }
}
