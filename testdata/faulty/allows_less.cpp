// The difference has no absolute value: every smaller number is close.
#include <cmath>
#include <fstream>
#include <iostream>

int main(int, char **argv) {
	std::ifstream answers(argv[2]);
	double answer, output;
	std::string rest;
	answers >> answer;
	if (!(std::cin >> output) || !std::isfinite(output) || std::cin >> rest) return 43;
	return output - answer < 1e-6 ? 42 : 43;
}
