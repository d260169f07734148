puts undeclared
