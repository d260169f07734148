program fails
  stop 3
end program
