let () = Scanf.scanf " %d %d" (fun a b ->
  let seen = Hashtbl.create 16 in
  for i = 0 to 999 do Hashtbl.replace seen (i mod 10) i done;
  let caught = try failwith "x" with Failure _ -> 1 in
  assert (Hashtbl.length seen = 10 && List.sort compare [3; 1; 2] = [1; 2; 3]);
  assert (Str.string_match (Str.regexp "^a[0-9]+$") "a12" 0 && Unix.time () > 1e9);
  let sum = ref 0 in
  for _ = 1 to 200 do sum := !sum + Bytes.length (Bytes.make 1048576 'x') / 1048576 done;
  Printf.printf "%d\n" (a + b + caught - 1 + !sum - 200))
