exec 3<&0 4>&1
reply=$(START 1 3 4 < "$1" 2> "$feedback/judgemessage.txt")
code=$?
# SIGPIPE (141) kills the interactor if the submission has ended.
[ -z "$reply" ] && [ "$code" -eq 141 ] && exit 43
[ -n "$reply" ] || exit 1
