import java.math.BigInteger
import java.util.concurrent.atomic.AtomicInteger
import kotlin.concurrent.thread
fun main() {
    val (a, b) = readLine()!!.split(" ").map { it.toInt() }
    val n = AtomicInteger()
    List(4) { thread { n.incrementAndGet() } }.forEach { it.join() }
    val seen = (0 until 1000).groupBy { it % 10 }
    try { throw IllegalStateException("x") } catch (e: IllegalStateException) { n.incrementAndGet() }
    check(seen.size == 10 && Regex("a[0-9]+").matches("a12") && BigInteger.valueOf(3).pow(1000).bitLength() > 1000)
    check(System.currentTimeMillis() > 1000000000000L)
    var sum = 0
    for (i in 1..200) sum += ByteArray(1 shl 20).size shr 20
    println(a + b + n.get() - 5 + sum - 200)
}
