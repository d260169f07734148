exec START "$@"
