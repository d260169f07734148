using System;
using System.Collections.Generic;
using System.Linq;
using System.Text.RegularExpressions;
using System.Threading;
class Program {
    static void Main() {
        var words = Console.ReadLine().Split(' ').Select(int.Parse).ToArray();
        int n = 0;
        var threads = Enumerable.Range(0, 4).Select(_ => new Thread(() => Interlocked.Increment(ref n))).ToList();
        threads.ForEach(thread => thread.Start());
        threads.ForEach(thread => thread.Join());
        var seen = new Dictionary<string, int>();
        for (int i = 0; i < 1000; i++) seen[(i % 10).ToString()] = i;
        var product = new System.Numerics.BigInteger(1);
        for (int i = 1; i < 100; i++) product *= i;
        try { throw new InvalidOperationException("x"); } catch (InvalidOperationException) { n++; }
        if (seen.Count != 10 || !Regex.IsMatch("a12", "^a[0-9]+$") || DateTime.Now.Year < 2000 || product < 10) Environment.Exit(4);
        int sum = 0;
        for (int i = 0; i < 200; i++) sum += new byte[1 << 20].Length >> 20;
        Console.WriteLine(words.Sum() + n - 5 + sum - 200);
    }
}
