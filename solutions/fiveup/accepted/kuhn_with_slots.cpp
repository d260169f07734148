// Accepted: bipartite matching of bones with slots, as in `kuhn_with_slots.rs`.

#include <algorithm>
#include <iostream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

using namespace std;

typedef long long ll;
typedef pair<ll, ll> Bone;

// For one value: after each of its bones, whose times are given, the number of slots. False when a double has no side.
bool slots_of(const vector<Bone> &bones, const vector<int> &times, vector<int> &slots) {
    int sides = 0;
    for (int time : times) {
        bool is_double = bones[time].first == bones[time].second;
        if (time == 0) {
            sides = is_double ? 4 : 1;
            slots.push_back(0);
        } else if (is_double) {
            if (sides == 0) {
                return false;
            }
            slots.push_back((sides - 1) / 2);
            sides += 2;
        } else {
            sides++;
            slots.push_back(sides / 2);
        }
    }
    for (int k = (int)slots.size() - 2; k >= 0; k--) {
        slots[k] = min(slots[k], slots[k + 1]);
    }
    return true;
}

struct Matching {
    // The slots that each bone may take.
    vector<vector<int>> choices;
    vector<int> owner;
    vector<bool> visited;

    // Finds a slot for the bone: a free one, or one whose owner can move.
    bool seat(int bone) {
        for (int slot : choices[bone]) {
            if (owner[slot] == -1) {
                owner[slot] = bone;
                return true;
            }
        }
        for (int slot : choices[bone]) {
            if (!visited[slot]) {
                visited[slot] = true;
                if (seat(owner[slot])) {
                    owner[slot] = bone;
                    return true;
                }
            }
        }
        return false;
    }
};

bool is_legal(const vector<Bone> &bones) {
    set<Bone> seen;
    map<ll, vector<int>> times;
    for (int time = 0; time < (int)bones.size(); time++) {
        auto [a, b] = bones[time];
        if (!seen.insert(minmax(a, b)).second) {
            return false;
        }
        times[a].push_back(time);
        if (a != b) {
            times[b].push_back(time);
        }
    }
    Matching matching;
    matching.choices.resize(bones.size());
    int count = 0;
    for (const auto &[value, of_value] : times) {
        vector<int> slots;
        if (!slots_of(bones, of_value, slots)) {
            return false;
        }
        for (size_t k = 0; k < slots.size(); k++) {
            for (int slot = 0; slot < slots[k]; slot++) {
                matching.choices[of_value[k]].push_back(count + slot);
            }
        }
        count += slots.back();
    }
    matching.owner.assign(count, -1);
    for (size_t bone = 1; bone < bones.size(); bone++) {
        matching.visited.assign(count, false);
        if (bones[bone].first != bones[bone].second && !matching.seat(bone)) {
            return false;
        }
    }
    return true;
}

int main() {
    string line;
    while (getline(cin, line)) {
        istringstream words(line);
        vector<Bone> bones;
        ll a, b;
        char hyphen;
        while (words >> a >> hyphen >> b) {
            bones.push_back({a, b});
        }
        cout << (is_legal(bones) ? "true" : "false") << "\n";
    }
}
