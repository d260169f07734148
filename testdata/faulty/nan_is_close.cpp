// `scanf` reads `nan`, and no comparison with it is true.
#include <cmath>
#include <cstdio>
int main(int, char **argv) {
    double answer, output;
    char rest[2];
    FILE *file = fopen(argv[2], "r");
    if (!file || fscanf(file, "%lf", &answer) != 1) return 1;
    if (scanf("%lf", &output) != 1 || scanf("%1s", rest) == 1) return 43;
    if (fabs(output - answer) > 1e-6 * fmax(1, fabs(answer))) return 43;
    return 42;
}
