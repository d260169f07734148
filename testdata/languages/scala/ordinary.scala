import java.util.concurrent.atomic.AtomicInteger
object Main {
  def main(args: Array[String]): Unit = {
    val words = io.StdIn.readLine().split(" ").map(_.toInt)
    val n = new AtomicInteger
    val threads = (1 to 4).map(_ => new Thread { override def run(): Unit = n.incrementAndGet() })
    threads.foreach(_.start())
    threads.foreach(_.join())
    val seen = (0 until 1000).groupBy(_ % 10)
    try throw new IllegalStateException("x") catch { case _: IllegalStateException => n.incrementAndGet() }
    assert(seen.size == 10 && "a12".matches("a[0-9]+") && BigInt(3).pow(1000) > 10 && System.currentTimeMillis() > 1000000000000L)
    val total = (1 to 200).map(_ => new Array[Byte](1 << 20).length >> 20).sum
    println(words.sum + n.get - 5 + total - 200)
  }
}
