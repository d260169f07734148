: down dup 0= if drop 0 else 1- recurse 1+ then ;
: main stdin slurp-fid evaluate + 1000 down 1000 - + 0 .r cr ;
main bye
