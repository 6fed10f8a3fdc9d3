;; The grams of one document, each once. In JavaScript:
;;
;;   do {
;;     byte = bytes[from]; folded = fold[byte];
;;     // … the long s (C5 BF) and the Kelvin sign (E2 84 AA), which have more bytes
;;     if (run === 3) {
;;       word = gramOf[window];
;;       gram = (word & ~COMMON) + (folded & 63 & (word >> 31));
;;       grams[count] = gram; count += marks[gram] !== mark; marks[gram] = mark;
;;     } else run += 1;
;;     if (folded === BREAK) run = 0; else window = ((window << 6) | folded) & (TRIGRAMS - 1);
;;   } while (++from < to);
;;
;; The folded codes are those of grams.ts: 6 bits each, 255 for a newline (BREAK). `gramOf` has the gram of each
;; trigram; its highest bit (COMMON) says that the trigram is common, and the character behind it is added.
;;
;; Memory layout, in bytes; small enough for the processor's caches, except for the code:
;;        0  fold: by byte, its folded code (256)
;;      256  gramOf: by trigram, its gram (4 * 64 ** 3)
;;  1048832  marks: by gram, the mark of the last document that has it (2 * 64 ** 3)
;;  1573120  grams: those of the document (4 * (2 * 64 ** 3 + 1))
;;  3670276  code
;; At the start the code may have 256 KB; JavaScript grows the memory for more.
(module
  (memory (export "memory") 61)
  (global (export "foldAt") i32 (i32.const 0))
  (global (export "gramOfAt") i32 (i32.const 256))
  (global (export "marksAt") i32 (i32.const 1048832))
  (global (export "gramsAt") i32 (i32.const 1573120))
  (global (export "codeAt") i32 (i32.const 3670276))

  ;; Writes the grams of the code between two addresses to `grams`; returns their number. Two more bytes are read.
  (func (export "extract") (param $from i32) (param $to i32) (param $mark i32) (result i32)
    (local $byte i32) (local $folded i32) (local $run i32) (local $window i32)
    (local $word i32) (local $gram i32)
    ;; in bytes: 4 for each gram
    (local $count i32)
    (loop $next
      (local.set $folded (i32.load8_u (local.tee $byte (i32.load8_u (local.get $from)))))
      (if (i32.gt_u (local.get $byte) (i32.const 127))
        (then
          ;; the long s is an s
          (if
            (i32.and
              (i32.eq (local.get $byte) (i32.const 0xc5))
              (i32.eq (i32.load8_u offset=1 (local.get $from)) (i32.const 0xbf)))
            (then
              (local.set $folded (i32.const 18))
              (local.set $from (i32.add (local.get $from) (i32.const 1)))))
          ;; the Kelvin sign is a k
          (if
            (i32.and
              (i32.and
                (i32.eq (local.get $byte) (i32.const 0xe2))
                (i32.eq (i32.load8_u offset=1 (local.get $from)) (i32.const 0x84)))
              (i32.eq (i32.load8_u offset=2 (local.get $from)) (i32.const 0xaa)))
            (then
              (local.set $folded (i32.const 10))
              (local.set $from (i32.add (local.get $from) (i32.const 2)))))))
      (if (i32.eq (local.get $run) (i32.const 3))
        (then
          ;; Whether the trigram is common, or the gram was seen before, is as likely as not: no processor predicts
          ;; it, so no branch depends on it.
          (local.set $word (i32.load offset=256 (i32.shl (local.get $window) (i32.const 2))))
          (i32.store offset=1573120 (local.get $count)
            (local.tee $gram
              (i32.add
                (i32.and (local.get $word) (i32.const 0x7fffffff))
                (i32.and
                  (i32.and (local.get $folded) (i32.const 63))
                  (i32.shr_s (local.get $word) (i32.const 31))))))
          (local.set $count
            (i32.add
              (local.get $count)
              (i32.shl
                (i32.ne (i32.load8_u offset=1048832 (local.get $gram)) (local.get $mark))
                (i32.const 2))))
          (i32.store8 offset=1048832 (local.get $gram) (local.get $mark)))
        (else (local.set $run (i32.add (local.get $run) (i32.const 1)))))
      (if (i32.eq (local.get $folded) (i32.const 255))
        (then (local.set $run (i32.const 0)))
        (else
          (local.set $window
            (i32.and
              (i32.or (i32.shl (local.get $window) (i32.const 6)) (local.get $folded))
              (i32.const 0x3ffff)))))
      (br_if $next
        (i32.lt_u (local.tee $from (i32.add (local.get $from) (i32.const 1))) (local.get $to))))
    (i32.shr_u (local.get $count) (i32.const 2))))
