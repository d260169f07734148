using System;
using System.Linq;
using System.Threading;
class Program {
    static int Down(int n) { return n == 0 ? 0 : 1 + Down(n - 1); }
    static void Main() {
        int depth = 0;
        var thread = new Thread(() => depth = Down(100000), 256 << 20);
        thread.Start();
        thread.Join();
        Console.WriteLine(Console.ReadLine().Split(' ').Select(int.Parse).Sum() + depth - 100000);
    }
}
