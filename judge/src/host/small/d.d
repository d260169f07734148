import std.stdio;
void main() { int a, b; readf(" %d %d", &a, &b); writeln(a + b); }
