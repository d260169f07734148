object Main {
  def down(n: Int): Int = if (n == 0) 0 else 1 + down(n - 1)
  def main(args: Array[String]): Unit = println(io.StdIn.readLine().split(" ").map(_.toInt).sum + down(100000) - 100000)
}
