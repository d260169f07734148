main :-
    read_line_to_string(user_input, Line),
    split_string(Line, " ", " ", Words),
    maplist([W, N]>>number_string(N, W), Words, Numbers),
    sum_list(Numbers, Sum),
    findall(Key, (between(1, 1000, I), Key is I mod 10), Keys),
    sort(Keys, Seen), length(Seen, 10),
    catch(throw(x), x, true),
    3 ** 1000 > 10,
    get_time(Now), Now > 1000000000,
    forall(between(1, 100, _), length(_, 10000)) -> writeln(Sum) ; halt(4).
