import java.math.BigInteger;
import java.time.Year;
import java.util.*;
import java.util.concurrent.atomic.AtomicInteger;
class Main {
    public static void main(String[] args) throws Exception {
        Scanner in = new Scanner(System.in);
        int a = in.nextInt(), b = in.nextInt();
        AtomicInteger n = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) threads.add(new Thread(n::incrementAndGet));
        for (Thread thread : threads) thread.start();
        for (Thread thread : threads) thread.join();
        Map<Integer, Integer> seen = new TreeMap<>();
        for (int i = 0; i < 1000; i++) seen.merge(i % 10, 1, Integer::sum);
        try { throw new IllegalStateException("x"); } catch (IllegalStateException e) { n.incrementAndGet(); }
        if (seen.size() != 10 || !"a12".matches("a[0-9]+") || Year.now().getValue() < 2000) System.exit(4);
        if (BigInteger.valueOf(3).pow(1000).bitLength() < 1000) System.exit(5);
        int sum = 0;
        for (int i = 0; i < 200; i++) sum += new byte[1 << 20].length >> 20;
        System.out.println(a + b + n.get() - 5 + sum - 200);
    }
}
