class Program { static void Main() { Undeclared(); } }
