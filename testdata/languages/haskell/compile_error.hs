main = undeclared
