(format t "~a~%" (+ 1
