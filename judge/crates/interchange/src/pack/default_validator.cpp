// The default output validator of problem packages (2025-09, "Default Output Validator") with the arguments of one problem:
// `validator INPUT ANSWER FEEDBACK_DIR < OUTPUT`, 42 accepts and 43 rejects.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

const bool CASE_SENSITIVE = @CASE@;
const bool SPACE_CHANGE_SENSITIVE = @SPACE@;
// A negative tolerance means none.
const double ABSOLUTE_TOLERANCE = @ABSOLUTE@;
const double RELATIVE_TOLERANCE = @RELATIVE@;

static bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

// Returns a token, or the blanks before it.
static std::string part(const std::string &text, std::size_t &at, bool blanks) {
    std::size_t begin = at;
    while (at < text.size() && is_space(text[at]) == blanks) ++at;
    return text.substr(begin, at - begin);
}

static bool number(const std::string &token, double &value) {
    if (token.empty() || token.find_first_of("xXnN") != std::string::npos) return false;
    char *end = nullptr;
    value = std::strtod(token.c_str(), &end);
    return *end == '\0' && std::isfinite(value);
}

static bool same(std::string found, std::string expected) {
    double found_value = 0, expected_value = 0;
    if ((ABSOLUTE_TOLERANCE >= 0 || RELATIVE_TOLERANCE >= 0) && number(expected, expected_value)) {
        if (!number(found, found_value)) return false;
        double error = std::fabs(found_value - expected_value);
        return found == expected || (ABSOLUTE_TOLERANCE >= 0 && error <= ABSOLUTE_TOLERANCE) ||
               (RELATIVE_TOLERANCE >= 0 && error <= RELATIVE_TOLERANCE * std::fabs(expected_value));
    }
    if (!CASE_SENSITIVE) {
        auto lower = [](unsigned char c) { return static_cast<char>(std::tolower(c)); };
        std::transform(found.begin(), found.end(), found.begin(), lower);
        std::transform(expected.begin(), expected.end(), expected.begin(), lower);
    }
    return found == expected;
}

int main(int, char **arguments) {
    std::ifstream file(arguments[2], std::ios::binary);
    if (!file) return 1;
    std::string expected((std::istreambuf_iterator<char>(file)), {}), found((std::istreambuf_iterator<char>(std::cin)), {});
    for (std::size_t expected_at = 0, found_at = 0;;) {
        std::string before = part(expected, expected_at, true), before_found = part(found, found_at, true);
        if (SPACE_CHANGE_SENSITIVE && before != before_found) return 43;
        std::string token = part(expected, expected_at, false), token_found = part(found, found_at, false);
        if (token.empty() && token_found.empty()) return 42;
        if (token.empty() || token_found.empty() || !same(token_found, token)) return 43;
    }
}
