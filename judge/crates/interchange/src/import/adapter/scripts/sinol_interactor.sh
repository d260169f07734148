exec 3<&0 4>&1
said=$(START 1 3 4 < "$1" 2> "$feedback/judgemessage.txt")
code=$?
# A submission that has ended takes the interactor with it (141: SIGPIPE).
[ -z "$said" ] && [ "$code" -eq 141 ] && exit 43
[ -n "$said" ] || exit 1
