# Ends with 0 and 1, like programs that are not validators.
[ "$(cat)" = "$(cat "$2")" ]
