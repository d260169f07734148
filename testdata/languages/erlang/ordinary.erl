-module(ordinary).
-export([main/0]).
main() ->
    {ok, [A, B]} = io:fread("", "~d ~d"),
    Self = self(),
    [spawn(fun() -> Self ! 1 end) || _ <- lists:seq(1, 4)],
    N = lists:sum([receive X -> X end || _ <- lists:seq(1, 4)]),
    Seen = lists:foldl(fun(I, Map) -> Map#{I rem 10 => I} end, #{}, lists:seq(1, 1000)),
    10 = maps:size(Seen),
    caught = try throw(x) catch throw:x -> caught end,
    {match, _} = re:run("a12", "^a[0-9]+$"),
    true = math:log2(1.0 * (1 bsl 100)) == 100.0,
    {{Year, _, _}, _} = calendar:local_time(),
    true = Year >= 2000,
    Sum = lists:sum([byte_size(binary:copy(<<I>>, 1048576)) || I <- lists:seq(1, 200)]),
    io:format("~p~n", [A + B + N - 4 + Sum div 1048576 - 200]).
