program ordinary
  implicit none
  integer, allocatable :: items(:), garbage(:)
  integer :: a, b, i, now(8)
  integer(16) :: big
  read *, a, b
  items = [(i, i = 1, 1000)]
  big = 10_16 ** 30
  call date_and_time(values=now)
  if (sum(items) /= 500500 .or. mod(big, 7_16) /= 1 .or. now(1) < 2000) stop 4
  do i = 1, 200
    allocate(garbage(262144))
    garbage = i
    if (garbage(i) /= i) stop 5
    deallocate(garbage)
  end do
  print '(i0)', a + b
end program
