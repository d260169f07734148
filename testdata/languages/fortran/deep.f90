program deep
  implicit none
  integer :: a, b
  read *, a, b
  print '(i0)', a + b + down(1000000) - 1000000
contains
  recursive integer function down(n) result(depth)
    integer, intent(in) :: n
    if (n == 0) then
      depth = 0
    else
      depth = 1 + down(n - 1)
    end if
  end function
end program
