-module(run_time_error).
-export([main/0]).
main() -> halt(3).
