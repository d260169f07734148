-module(deep).
-export([main/0]).
down(0) -> 0;
down(N) -> 1 + down(N - 1).
main() -> {ok, [A, B]} = io:fread("", "~d ~d"), io:format("~p~n", [A + B + down(1000000) - 1000000]).
