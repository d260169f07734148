fn main() { undeclared() }
