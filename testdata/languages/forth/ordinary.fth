create items 1000 cells allot
: fill-items 1000 0 do i i cells items + ! loop ;
: total 0 1000 0 do i cells items + @ + loop ;
: fails 1 throw ;
: garbage 200 0 do 1048576 allocate throw dup 1048576 1 fill free throw loop ;
: main fill-items garbage ['] fails catch 1 <> if 4 (bye) then
  time&date nip nip nip nip nip 2000 < if 5 (bye) then
  stdin slurp-fid evaluate + total 499500 - + 0 .r cr ;
main bye
