: main stdin slurp-fid evaluate + 0 .r cr ;
main bye
