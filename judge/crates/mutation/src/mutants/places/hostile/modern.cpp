// Templates, lambdas, overloaded operators, constants of the compiler, structured bindings, ranges, raw strings.
#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <iostream>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace geometry {
template <typename T, int N = 2 + 1>
struct Point {
    std::array<T, N> at{};
    constexpr Point operator+(const Point &other) const {
        Point sum;
        for (int i = 0; i < N; i++) sum.at[i] = at[i] + other.at[i];
        return sum;
    }
    auto operator<=>(const Point &) const = default;
    bool operator<(int bound) const { return at[0] < bound && at[N - 1] <= bound; }
    Point &operator<<(T value) {
        at[0] = value + 1;
        return *this;
    }
    T &operator[](std::size_t i) { return at[i % N]; }
};
}  // namespace geometry

constexpr int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
static_assert(fibonacci(10) == 50 + 5);
constexpr std::array<int, fibonacci(6) + 1> table = [] {
    std::array<int, fibonacci(6) + 1> filled{};
    for (int i = 0; i < 9; ++i) filled[i] = i * i + 1;
    return filled;
}();
enum class Colour : unsigned char { red = 1 + 1, green = 4, blue };
struct Flags {
    unsigned low : 3 + 1;
    unsigned high : 4;
    int weight = 7;
};

template <typename F>
struct Finally {
    F last;
    explicit Finally(F f) : last(std::move(f)) {}
    ~Finally() { last(); }
};

template <typename T>
T clamp_to(T value, T low = T(0), T high = 1 + 9) {
    if constexpr (sizeof(T) > 4 + 0) {
        return value < low ? low : value > high ? high : value;
    } else {
        return value < low ? low : high;
    }
}

int depth(const std::vector<std::vector<int>> &tree, int at) {
    int deepest = 0;
    for (int child : tree[at]) deepest = std::max(deepest, 1 + depth(tree, child));
    return deepest;
}

std::optional<std::pair<int, int>> extremes(const std::vector<int> &values) {
    if (values.empty()) return std::nullopt;
    auto [low, high] = std::minmax_element(values.begin(), values.end());
    return std::pair{*low, *high};
}

int main() {
    const char *text = R"raw(a < b && "quoted" \n (x + 1))raw";
    std::string greek = u8"αβγ" "δ" == nullptr ? "" : "\xce\xb1 < β";
    int n = 0;
    std::cin >> n;
    std::vector<int> values(n);
    for (auto &value : values) std::cin >> value;
    Finally said{[&] { std::cout << "end" << '\n'; }};
    auto is_small = [limit = n + 1](int value) -> bool { return value < limit || value == -1; };
    std::function<long long(int)> factorial = [&](int k) { return k <= 1 ? 1LL : k * factorial(k - 1); };
    geometry::Point<long long> p, q;
    p.at = {1, 2, 3};
    q << n;
    auto sum = p + q;
    if (auto found = extremes(values); found && found->first < found->second) {
        auto [low, high] = *found;
        std::cout << low << ' ' << high << ' ' << (sum < high ? "yes" : "no") << '\n';
    } else if (values.size() > 3u) {
        std::cout << values.size() - 1 << '\n';
    }
    std::map<std::pair<int, int>, std::vector<int>> groups;
    for (int i = 0, j = n - 1; i < j; i++, j--) groups[{values[i] % 3, j & 1}].push_back(i ^ j);
    for (const auto &[key, members] : groups) {
        const auto &[residue, parity] = key;
        std::cout << residue << parity << ':' << std::accumulate(members.begin(), members.end(), 0LL) << ';';
    }
    std::cout << std::count_if(values.begin(), values.end(), is_small) << ' ' << factorial(n % 5) << '\n';
    std::sort(values.begin(), values.end(), [](int a, int b) { return a % 3 != b % 3 ? a % 3 < b % 3 : a > b; });
    int at = 0, total = 0;
    do {
        if (at >= static_cast<int>(values.size())) break;
        total += values[at] > 0 ? values[at] : -values[at], at += 1;
        if (!(total & 1)) continue;
        total ^= 1 << (at % 4);
    } while (at < n);
    static int calls = 0 + 0;
    calls += 2;
    std::vector<std::vector<int>> tree{{1, 2}, {3}, {}, {}};
    std::cout << total << ' ' << table[3] << ' ' << clamp_to<long long>(total) << ' ' << depth(tree, 0) << calls << '\n';
    const Colour colour = n > 2 ? Colour::green : Colour::red;
    switch (colour) {
        case Colour::red: std::cout << text[0] << greek.size() << '\n'; break;
        case Colour::green: std::cout << double(total) / 3 << ' ' << (double)n / 2 << '\n'; [[fallthrough]];
        default: std::cout << Flags{1, 2}.weight << '\n';
    }
    double mean = n ? 1.0 * total / n : 0.0;
    std::cout << (mean > 2.5) << (n == 0 or total < 3 and not is_small(n)) << '\n';
}
