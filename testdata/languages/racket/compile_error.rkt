#lang racket
(displayln undeclared)
