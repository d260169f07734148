START "$1" "$2" 2> "$feedback/judgemessage.txt"
case $? in
  0) exit 42 ;;
  1) exit 43 ;;
  *) exit 1 ;;
esac
