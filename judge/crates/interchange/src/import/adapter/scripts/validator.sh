START "$@"
case $? in
  0) exit 42 ;;
  *) exit 43 ;;
esac
