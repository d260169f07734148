// Macros of all kinds, as people in contests write them, with branches of the preprocessor in and around statements.
#pragma GCC optimize("O2")
#include <algorithm>
#include <cassert>
#include <cstdio>
#include <iostream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>
using namespace std;
#define int long long
#define FOR(i, a, b) for (int i = (a); i < (b); ++i)
#define REP(i, n) FOR(i, 0, n)
#define ALL(v) (v).begin(), (v).end()
#define SQ(x) ((x) * (x))
#define NEXT (*cursor++)
#define VAR(x, value) auto x = (value)
#define PB push_back
#define LIMIT 1000
#define MOD (1000000000LL + 7)
#define IF_SMALL(x) if ((x) < 10)
#define SWAP(a, b) \
    do {           \
        auto t = a; \
        a = b;     \
        b = t;     \
    } while (0)
#ifdef LOCAL
#define debug(x) cerr << #x << "=" << (x) << "\n"
#else
#define debug(x)
#endif
typedef vector<int> vi;

static int fixed_numbers[] = {3, 1, 2, 5, 4, 0};

int pick(const int *cursor, int from) {
    int total = 0;
    while (NEXT != 0) {
        if (NEXT < from) total += 1;
        else if (total > 3 && !(from < 2)) break;
    }
    return total;
}

int power(int base, int exponent) {
    int result = 1;
    for (; exponent; exponent >>= 1) {
        if (exponent & 1) result = result * base % MOD;
        base = SQ(base) % MOD;
    }
    return result;
}

signed main() {
    ios_base::sync_with_stdio(false), cin.tie(nullptr);
    int n;
    if (!(cin >> n)) return 0;
    vi a(n);
    REP(i, n) cin >> a[i];
    REP(i, n) {
        IF_SMALL(a[i]) a[i] += 1;
        else a[i] -= 2;
    }
#if LIMIT > 5
    if (n > LIMIT) n = LIMIT;
#else
    if (n > 5) n = 5;
#endif
    if (n > 1
#ifdef LOCAL
        && n < 100
#endif
        && a[0] > a[n - 1])
        SWAP(a[0], a[n - 1]);
    VAR(total, 0LL);
    FOR(i, 0, n) {
        FOR(j, i + 1, n) if (a[i] > a[j]) total++;
        debug(total);
    }
    assert(total >= 0 + 0);
    sort(ALL(a));
    a.erase(unique(ALL(a)), a.end());
    stringstream stream;
    stream << total << ' ' << (total << 2 & 7) << "\n";
    int first, second;
    stream >> first >> second;
    map<string, int> names{{"one", 1}, {"two", 2}};
    goto print;
print:
    printf("%lld %lld %lld %lld\n", first, second, pick(fixed_numbers, n), power(2, total + 10));
    switch (total % 3) {
        case 0:
            total += 1;
        case 1: {
            total -= names["one"];
            break;
        }
        case LIMIT + 1: break;
        default: total *= 2;
    }
    cout << total << ' ' << (int)a.size() - 5 << ' ' << lower_bound(ALL(a), 3) - a.begin() << endl;
    return 0;
}
