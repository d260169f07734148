begin undeclared; end.
