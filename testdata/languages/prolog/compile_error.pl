main :- writeln(3
