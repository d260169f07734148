import std.stdio;
int down(int n) { return n == 0 ? 0 : 1 + down(n - 1); }
void main() { int a, b; readf(" %d %d", &a, &b); writeln(a + b + down(100_000) - 100_000); }
