let () = undeclared ()
