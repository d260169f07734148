object Main { def main(args: Array[String]): Unit = println(io.StdIn.readLine().split(" ").map(_.toInt).sum) }
