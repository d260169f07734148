fun down(n: Int): Int = if (n == 0) 0 else 1 + down(n - 1)
fun main() { println(readLine()!!.split(" ").map { it.toInt() }.sum() + down(100000) - 100000) }
