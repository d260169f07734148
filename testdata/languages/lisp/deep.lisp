(defun down (n) (if (= n 0) 0 (+ 1 (down (- n 1)))))
(format t "~a~%" (+ (read) (read) (down 100000) -100000))
