#lang racket
(define (down n) (if (= n 0) 0 (+ 1 (down (- n 1)))))
(displayln (+ (read) (read) (down 1000000) -1000000))
