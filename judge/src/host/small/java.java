import java.util.Scanner;
class Main {
    public static void main(String[] args) { Scanner in = new Scanner(System.in); System.out.println(in.nextInt() + in.nextInt()); }
}
