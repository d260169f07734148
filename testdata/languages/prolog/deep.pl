down(0, 0) :- !.
down(N, Depth) :- M is N - 1, down(M, Less), Depth is Less + 1.
main :- read_line_to_string(user_input, Line), split_string(Line, " ", " ", Words), maplist([W, N]>>number_string(N, W), Words, Numbers),
    sum_list(Numbers, Sum), down(1000000, Depth), Total is Sum + Depth - 1000000, writeln(Total).
