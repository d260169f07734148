// Generics, inner classes, records, lambdas, switches of both kinds, labels and text blocks: Java of today.
import java.util.*;
import java.util.function.*;
import java.util.stream.*;

public class Modern {
    static final int LIMIT = 10 + 5;

    record Pair<A extends Comparable<A>, B>(A first, B second) implements Comparable<Pair<A, B>> {
        Pair {
            if (first == null) throw new IllegalArgumentException("a < b");
        }

        public int compareTo(Pair<A, B> other) {
            return first.compareTo(other.first);
        }
    }

    enum Kind { SMALL(1), LARGE(1 << 4); final int size; Kind(int size) { this.size = size; } }

    sealed interface Shape permits Square, Line {}
    record Square(int side) implements Shape {}
    record Line(double length) implements Shape {}

    static <T extends Comparable<? super T>> T largest(List<T> list) {
        T best = list.get(0);
        for (T item : list) if (item.compareTo(best) > 0) best = item;
        return best;
    }

    class Inner {
        private long sum = 0L;

        @SuppressWarnings("unchecked")
        void add(int... values) {
            for (int value : values) sum += (long) value * value;
        }
    }

    static int area(Shape shape) {
        if (shape instanceof Square square && square.side() > 2) return square.side() * square.side();
        return shape instanceof Line line ? (int) line.length() : 0;
    }

    static void quiet(int depth) {
        if (depth <= 0) return;
        quiet(depth - 1);
    }

    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        int n = in.nextInt();
        Integer[] boxed = new Integer[n];
        for (int i = 0; i < n; i++) boxed[i] = in.nextInt();
        Comparator<Integer> order = (a, b) -> a % 3 != b % 3 ? a % 3 - b % 3 : Integer.compare(b, a);
        Arrays.sort(boxed, order);
        Inner inner = new Modern().new Inner();
        outer:
        for (int i = 0; i < n; ++i) {
            for (int j = i + 1; j < n; j++) {
                if (boxed[i].equals(boxed[j])) continue outer;
                if (i * j > LIMIT) break outer;
            }
            inner.add(boxed[i], i);
        }
        String kind = switch (n % 3) {
            case 0 -> "zero";
            case 1 -> { int k = n + 1; yield "one" + k; }
            default -> """
                many < few
                "quoted" + 1
                """.strip();
        };
        switch (kind.length()) {
            case 4: inner.sum++;
            case 3: inner.sum += 2; break;
            default: inner.sum *= 2;
        }
        Map<Integer, List<Integer>> groups =
            Arrays.stream(boxed).collect(Collectors.groupingBy(x -> x & 1, TreeMap::new, Collectors.toList()));
        BiFunction<Integer, Integer, Integer> shift = (a, b) -> a >>> b ^ a << 1;
        char letter = (char) ('a' + n % 26);
        var pair = new Pair<>(letter, groups.size());
        Runnable print = () -> System.out.println(pair.second() + " " + largest(Arrays.asList(boxed)));
        if (n > 0) print.run();
        quiet(n);
        do { inner.sum -= 3; } while (inner.sum > 100 && !groups.isEmpty());
        System.out.println(inner.sum + " " + kind + shift.apply(n, 2) + area(new Square(n)) + (double) n / 2);
        System.out.println(Kind.LARGE.size + " " + letter + (n < 5 ? n == 3 ? "three" : "few" : "many"));
    }
}
