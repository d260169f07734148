// Accepted: one pass over the row with a stack, as in `linear_stack.rs`.

#include <cstdio>
#include <iostream>
#include <vector>

using namespace std;

struct Bone {
    int id, left, right;
};

// The pips of a bone, the smaller number first.
pair<int, int> pips(int id) {
    int low = 0, first = 1;
    while (id >= first + 7 - low) {
        first += 7 - low;
        low++;
    }
    return {low, low + id - first};
}

vector<Bone> eliminate(const vector<Bone> &row) {
    vector<Bone> kept;
    for (const Bone &bone : row) {
        if (!kept.empty() && kept.back().right == bone.left) {
            kept.pop_back();
        } else {
            kept.push_back(bone);
        }
    }
    return kept;
}

int main() {
    printf("RESULTS OF ELIMINATIONS\n\n");
    vector<Bone> row;
    int id;
    char orientation;
    while (cin >> id >> orientation) {
        if (id == 0) {
            vector<Bone> kept = eliminate(row);
            printf("\n");
            for (const Bone &bone : kept) {
                printf("%d ", bone.id);
            }
            printf(kept.empty() ? "DATASET CLEARED\n" : "\n");
            row.clear();
            continue;
        }
        auto [low, high] = pips(id);
        if (orientation == 'F') {
            row.push_back({id, low, high});
        } else {
            row.push_back({id, high, low});
        }
    }
}
