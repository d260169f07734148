fun main() { undeclared() }
