constexpr unsigned long fibonacci(unsigned n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

template <unsigned n> struct all { static constexpr unsigned long value = fibonacci(24 + n % 4) + all<n - 1>::value; };
template <> struct all<0> { static constexpr unsigned long value = 0; };

constexpr unsigned long slow(unsigned long n) {
    unsigned long sum = 0;
    for (unsigned long i = 0; i < n; i++) sum += i * i;
    return sum;
}
template <unsigned n> struct loops { static constexpr unsigned long value = slow(200000 + n) + loops<n - 1>::value; };
template <> struct loops<0> { static constexpr unsigned long value = 0; };

int main() { return all<400>::value + loops<400>::value == 1; }
