#include <atomic>
#include <chrono>
#include <iostream>
#include <map>
#include <regex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>
int main() {
    int a, b;
    std::cin >> a >> b;
    std::atomic<int> n{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; i++) threads.emplace_back([&] { n++; });
    for (auto &thread : threads) thread.join();
    std::map<std::string, int> seen;
    for (int i = 0; i < 1000; i++) seen[std::to_string(i % 10)]++;
    try { throw std::runtime_error("x"); } catch (const std::exception &) { seen["0"]--; }
    if (seen.size() != 10 || seen["0"] != 99 || !std::regex_match("a12", std::regex("a[0-9]+"))) return 4;
    if (std::chrono::system_clock::now().time_since_epoch().count() < 0) return 5;
    long long sum = 0;
    for (int i = 0; i < 200; i++) { std::vector<char> garbage(1 << 20, 1); sum += garbage[i]; }
    std::cout << a + b + n - 4 + sum - 200 << "\n";
}
