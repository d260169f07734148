echo undeclared
