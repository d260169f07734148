program wrong
  implicit none
  undeclared = 1
end program
