;; Writes code without comments and formatting (likeness.ts): one space where only a space separates two words, and no
;; other. In JavaScript:
;;
;;   while (at < to) {
;;     kind = kinds[bytes[at]]; end = commentEnd(at);
;;     if (kind & SPACE || end > at) { space ||= at; at = max(end, at + 1); continue; }
;;     if (space) {
;;       if (indent = isIndented && lineStart(space, at)) { newline(); copy(indent, at); }
;;       else if (kind & WORD && kinds[last] & WORD) write(BLANK);
;;       space = 0;
;;     }
;;     copy(at, at = kind & LONG ? longEnd(at) : at + 1);
;;   }
;;
;; The kind of a byte: 1 for white space, 2 for a byte of a word, 4 for one that may begin a comment, 8 for a quote or a
;; backslash. JavaScript writes them for each language. The flags: 1 for line comments of two slashes, 2 for block
;; comments, 4 if the indentation stays.
;;
;; Memory layout, in bytes:
;;     0  kinds: by byte (256)
;;  1024  code; a zero is before it, and two are behind it
;; At the start the code may have 64 KB; JavaScript grows the memory for more.
(module
  (memory (export "memory") 3)
  (global (export "kindsAt") i32 (i32.const 0))
  (global (export "codeAt") i32 (i32.const 1024))
  ;; No block comment ends in the rest of the code.
  (global $isOpen (mut i32) (i32.const 0))

  ;; Address of the next newline, or `to`.
  (func $lineEnd (param $at i32) (param $to i32) (result i32)
    (loop $next
      (if (i32.ge_u (local.get $at) (local.get $to)) (then (return (local.get $to))))
      (if (i32.eq (i32.load8_u (local.get $at)) (i32.const 10)) (then (return (local.get $at))))
      (local.set $at (i32.add (local.get $at) (i32.const 1)))
      (br $next))
    (unreachable))

  ;; Address behind the comment that begins with the slash or hash at an address; the address itself when none does.
  (func $commentEnd (param $at i32) (param $to i32) (param $flags i32) (result i32)
    (local $next i32) (local $each i32)
    (if (i32.eq (i32.load8_u (local.get $at)) (i32.const 35))
      (then (return (call $lineEnd (local.get $at) (local.get $to)))))
    (local.set $next (i32.load8_u offset=1 (local.get $at)))
    ;; A URL in the text of a page is no comment.
    (if
      (i32.and
        (i32.and
          (i32.eq (local.get $next) (i32.const 47))
          (i32.and (local.get $flags) (i32.const 1)))
        (i32.ne (i32.load8_u (i32.sub (local.get $at) (i32.const 1))) (i32.const 58)))
      (then (return (call $lineEnd (local.get $at) (local.get $to)))))
    (if
      (i32.or
        (i32.or
          (i32.ne (local.get $next) (i32.const 42))
          (i32.eqz (i32.and (local.get $flags) (i32.const 2))))
        (global.get $isOpen))
      (then (return (local.get $at))))
    (local.set $each (i32.add (local.get $at) (i32.const 2)))
    (loop $find
      (if (i32.ge_u (i32.add (local.get $each) (i32.const 1)) (local.get $to))
        (then
          (global.set $isOpen (i32.const 1))
          (return (local.get $at))))
      (if (i32.eq (i32.load16_u align=1 (local.get $each)) (i32.const 0x2f2a))
        (then (return (i32.add (local.get $each) (i32.const 2)))))
      (local.set $each (i32.add (local.get $each) (i32.const 1)))
      (br $find))
    (unreachable))

  ;; Address behind the string at an address: behind its quote, or at the end of the line.
  (func $stringEnd (param $at i32) (param $to i32) (result i32)
    (local $quote i32) (local $byte i32)
    (local.set $quote (i32.load8_u (local.get $at)))
    (if
      (i32.and
        (i32.ne (local.get $quote) (i32.const 96))
        (i32.and
          (i32.eq (i32.load8_u offset=1 (local.get $at)) (local.get $quote))
          (i32.eq (i32.load8_u offset=2 (local.get $at)) (local.get $quote))))
      (then
        (local.set $at (i32.add (local.get $at) (i32.const 3)))
        (loop $find
          (if (i32.gt_u (i32.add (local.get $at) (i32.const 3)) (local.get $to))
            (then (return (local.get $to))))
          (if
            (i32.and
              (i32.eq (i32.load8_u (local.get $at)) (local.get $quote))
              (i32.and
                (i32.eq (i32.load8_u offset=1 (local.get $at)) (local.get $quote))
                (i32.eq (i32.load8_u offset=2 (local.get $at)) (local.get $quote))))
            (then (return (i32.add (local.get $at) (i32.const 3)))))
          (local.set $at (i32.add (local.get $at) (i32.const 1)))
          (br $find))))
    (loop $next
      (local.set $at (i32.add (local.get $at) (i32.const 1)))
      (if (i32.ge_u (local.get $at) (local.get $to)) (then (return (local.get $to))))
      (local.set $byte (i32.load8_u (local.get $at)))
      (if (i32.eq (local.get $byte) (local.get $quote))
        (then (return (i32.add (local.get $at) (i32.const 1)))))
      (if (i32.eq (local.get $byte) (i32.const 92))
        (then (local.set $at (i32.add (local.get $at) (i32.const 1)))))
      (br_if $next
        (i32.or
          (i32.ne (local.get $byte) (i32.const 10))
          (i32.eq (local.get $quote) (i32.const 96)))))
    (local.get $at))

  ;; Address where the indentation of the line begins, if only white space and comments from `space` on separate it from
  ;; the previous line; 0 otherwise. `from`: the first line begins there.
  (func $lineStart (param $space i32) (param $at i32) (param $from i32) (result i32)
    (loop $next
      (if (i32.le_u (local.get $at) (local.get $space))
        (then
          (return
            (select (local.get $from) (i32.const 0) (i32.eq (local.get $space) (local.get $from))))))
      (local.set $at (i32.sub (local.get $at) (i32.const 1)))
      (br_if $next (i32.ne (i32.load8_u (local.get $at)) (i32.const 10))))
    (i32.add (local.get $at) (i32.const 1)))

  ;; Writes to `out` what the code between two addresses is compared by; returns the address behind it.
  (func (export "normalise") (param $from i32) (param $to i32) (param $out i32) (param $flags i32) (result i32)
    (local $at i32) (local $byte i32) (local $kind i32) (local $next i32) (local $first i32)
    ;; Where the white space before the next byte begins; 0 for none.
    (local $space i32)
    (global.set $isOpen (i32.const 0))
    (local.set $at (local.get $from))
    (local.set $space (local.get $from))
    (local.set $first (local.get $out))
    (loop $each
      (if (i32.ge_u (local.get $at) (local.get $to)) (then (return (local.get $out))))
      (local.set $kind (i32.load8_u (local.tee $byte (i32.load8_u (local.get $at)))))
      (local.set $next (local.get $at))
      (if (i32.and (local.get $kind) (i32.const 5))
        (then
          (local.set $next
            (if (result i32) (i32.and (local.get $kind) (i32.const 1))
              (then (i32.add (local.get $at) (i32.const 1)))
              (else (call $commentEnd (local.get $at) (local.get $to) (local.get $flags)))))
          (if (i32.gt_u (local.get $next) (local.get $at))
            (then
              (if (i32.eqz (local.get $space)) (then (local.set $space (local.get $at))))
              (local.set $at (local.get $next))
              (br $each)))))
      (if (local.get $space)
        (then
          (local.set $next
            (if (result i32) (i32.and (local.get $flags) (i32.const 4))
              (then (call $lineStart (local.get $space) (local.get $at) (local.get $from)))
              (else (i32.const 0))))
          (local.set $space (i32.const 0))
          (if (local.get $next)
            (then
              (if (i32.gt_u (local.get $out) (local.get $first))
                (then
                  (i32.store8 (local.get $out) (i32.const 10))
                  (local.set $out (i32.add (local.get $out) (i32.const 1)))))
              (local.set $out (call $copy (local.get $next) (local.get $at) (local.get $out))))
            (else
              (if
                (i32.and
                  (i32.and
                    (i32.gt_u (local.get $out) (local.get $first))
                    (i32.shr_u (i32.and (local.get $kind) (i32.const 2)) (i32.const 1)))
                  (i32.ne
                    (i32.and
                      (i32.load8_u (i32.load8_u (i32.sub (local.get $out) (i32.const 1))))
                      (i32.const 2))
                    (i32.const 0)))
                (then
                  (i32.store8 (local.get $out) (i32.const 32))
                  (local.set $out (i32.add (local.get $out) (i32.const 1)))))))))
      (if (i32.and (local.get $kind) (i32.const 8))
        (then
          ;; An escape outside of a string is part of an expression: what follows begins neither a comment nor a string.
          (local.set $next
            (if (result i32) (i32.eq (local.get $byte) (i32.const 92))
              (then (i32.add (local.get $at) (i32.const 2)))
              (else (call $stringEnd (local.get $at) (local.get $to)))))
          (if (i32.gt_u (local.get $next) (local.get $to)) (then (local.set $next (local.get $to))))
          (local.set $out (call $copy (local.get $at) (local.get $next) (local.get $out)))
          (local.set $at (local.get $next))
          (br $each)))
      (i32.store8 (local.get $out) (local.get $byte))
      (local.set $out (i32.add (local.get $out) (i32.const 1)))
      (local.set $at (i32.add (local.get $at) (i32.const 1)))
      (br $each))
    (unreachable))

  ;; Copies the bytes between two addresses; returns the address behind the copy.
  (func $copy (param $from i32) (param $to i32) (param $out i32) (result i32)
    (loop $each
      (if (i32.ge_u (local.get $from) (local.get $to)) (then (return (local.get $out))))
      (i32.store8 (local.get $out) (i32.load8_u (local.get $from)))
      (local.set $out (i32.add (local.get $out) (i32.const 1)))
      (local.set $from (i32.add (local.get $from) (i32.const 1)))
      (br $each))
    (unreachable)))
