let rec down n = if n = 0 then 0 else 1 + down (n - 1)
let () = Scanf.scanf " %d %d" (fun a b -> Printf.printf "%d\n" (a + b + down 1000000 - 1000000))
