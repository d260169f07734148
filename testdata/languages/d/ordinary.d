import core.atomic, core.thread, std.bigint, std.conv, std.datetime, std.regex, std.stdio;
shared int n;
void main() {
    int a, b;
    readf(" %d %d", &a, &b);
    Thread[] threads;
    foreach (i; 0 .. 4) threads ~= new Thread({ n.atomicOp!"+="(1); }).start();
    foreach (thread; threads) thread.join();
    int[string] seen;
    foreach (i; 0 .. 1000) seen[to!string(i % 10)]++;
    try { throw new Exception("x"); } catch (Exception) { seen["0"]--; }
    assert(seen.length == 10 && seen["0"] == 99 && matchFirst("a12", regex("^a[0-9]+$")) && BigInt(3) ^^ 100 > 10);
    assert(Clock.currTime().year >= 2000);
    size_t sum;
    foreach (i; 0 .. 200) sum += new ubyte[1 << 20].length >> 20;
    writeln(a + b + n - 4 + cast(int) sum - 200);
}
