-module(compile_error).
-export([main/0]).
main() -> undeclared().
