;; Finds a text in the bytes of code, sixteen positions at a time. In JavaScript:
;;
;;   for (at = from; at <= last; at++)
;;     if ((bytes[at + first] | mask[first]) === text[first] && (bytes[at + second] | mask[second]) === text[second])
;;       if (text.every((byte, i) => (bytes[at + i] | mask[i]) === byte)) return at;
;;
;; A mask is the bit between the two cases of a letter; `first` and `second` are the offsets of the rarest bytes of the
;; text. Sixteen values of `at` are tested at once; those behind the last position are read, but never returned.
;;
;; Memory layout, in bytes:
;;     0  16 times the mask of the first rare byte, then 16 times the byte; the same of the second rare byte
;;    64  the bitwise or of all bytes that were read, in 16 lanes
;;    80  the masks of the text, up to 256
;;   336  the bytes of the text, up to 256
;;  1024  the code
;; At the start the code may have 256 KB; JavaScript grows the memory for more.
(module
  (memory (export "memory") 5)
  (global (export "rareAt") i32 (i32.const 0))
  (global (export "seenAt") i32 (i32.const 64))
  (global (export "masksAt") i32 (i32.const 80))
  (global (export "textAt") i32 (i32.const 336))
  (global (export "codeAt") i32 (i32.const 1024))

  ;; Address of the first match from `from` to `last`; -1 when none exists. The code ends before `end`.
  (func (export "find")
    (param $from i32) (param $last i32) (param $end i32) (param $first i32) (param $second i32) (param $length i32)
    (result i32)
    (local $found i32) (local $at i32) (local $k i32)
    (loop $sixteen
      ;; seen |= the sixteen bytes
      (v128.store offset=64 align=1 (i32.const 0)
        (v128.or (v128.load offset=64 align=1 (i32.const 0)) (v128.load align=1 (local.get $from))))
      ;; found: a bit for each of the sixteen positions that has both rare bytes
      (local.set $found
        (i8x16.bitmask
          (v128.and
            (i8x16.eq
              (v128.or
                (v128.load align=1 (i32.add (local.get $from) (local.get $first)))
                (v128.load align=1 (i32.const 0)))
              (v128.load offset=16 align=1 (i32.const 0)))
            (i8x16.eq
              (v128.or
                (v128.load align=1 (i32.add (local.get $from) (local.get $second)))
                (v128.load offset=32 align=1 (i32.const 0)))
              (v128.load offset=48 align=1 (i32.const 0))))))
      (if (local.get $found)
        (then
          (loop $verify
            (local.set $at (i32.add (local.get $from) (i32.ctz (local.get $found))))
            ;; k: how many bytes of the text are equal from there on
            (local.set $k (i32.const -1))
            (loop $byte
              (local.set $k (i32.add (local.get $k) (i32.const 1)))
              (br_if $byte
                (i32.and
                  (i32.lt_u (local.get $k) (local.get $length))
                  (i32.eq
                    (i32.or
                      (i32.load8_u (i32.add (local.get $at) (local.get $k)))
                      (i32.load8_u offset=80 (local.get $k)))
                    (i32.load8_u offset=336 (local.get $k))))))
            (if
              (i32.and
                (i32.eq (local.get $k) (local.get $length))
                (i32.le_u (local.get $at) (local.get $last)))
              (then (return (local.get $at))))
            ;; clears the lowest bit
            (local.set $found
              (i32.and (local.get $found) (i32.sub (local.get $found) (i32.const 1))))
            (br_if $verify (i32.ne (local.get $found) (i32.const 0))))))
      (br_if $sixteen
        (i32.le_u (local.tee $from (i32.add (local.get $from) (i32.const 16))) (local.get $end))))
    (i32.const -1))

  ;; 1 when `find` has read a byte beyond ASCII since `seen` was zeroed, else 0.
  (func (export "hasSeenBeyondAscii") (result i32)
    (i32.ne (i8x16.bitmask (v128.load offset=64 align=1 (i32.const 0))) (i32.const 0))))
