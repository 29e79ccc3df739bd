; Is there a heap with a list from x to y and one from y to nil that is no list from x to nil?
(set-logic QF_SHLS)
(set-info :status unsat)
(declare-sort RefSll_t 0)
(declare-datatypes ((Sll_t 0)) (((c_Sll_t (next RefSll_t)))))
(declare-heap (RefSll_t Sll_t))
(define-fun-rec ls ((in RefSll_t) (out RefSll_t)) Bool
  (or (and (= in out) (_ emp RefSll_t Sll_t))
      (exists ((u RefSll_t)) (and (distinct in out) (sep (pto in (c_Sll_t u)) (ls u out))))))
(declare-const x RefSll_t)
(declare-const y RefSll_t)
(assert (sep (ls x y) (ls y (as nil RefSll_t))))
(assert (not (ls x (as nil RefSll_t))))
(check-sat)
