main :- read_line_to_string(user_input, Line), split_string(Line, " ", " ", Words), maplist([W, N]>>number_string(N, W), Words, Numbers),
    sum_list(Numbers, Sum), writeln(Sum).
