import java.util.Scanner;
class Main {
    static int down(int n) { return n == 0 ? 0 : 1 + down(n - 1); }
    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        System.out.println(in.nextInt() + in.nextInt() + down(100000) - 100000);
    }
}
