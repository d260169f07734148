main :- halt(3).
