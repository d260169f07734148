START "$1" "$feedback/interactor_output" "$2" 2> "$feedback/judgemessage.txt"
case $? in
  0) exit 42 ;;
  1|2|4|5|8) exit 43 ;;
  *) exit 1 ;;
esac
