;; Reads the texts from the JSON of a bundle, `{"files":{"<path>":"<text>",…}}`, without creating strings. In JavaScript:
;;
;;   do {
;;     path = rawString(); expect(':"'); text = out;
;;     while ((byte = bytes[from]) !== QUOTE) write(byte === BACKSLASH ? escaped() : byte);
;;     write(NEWLINE); files.push([path, text, out]);
;;   } while (bytes[from++] === COMMA);
;;   expect('}}');
;;
;; What the service itself rarely writes is left to JavaScript: an escape in a path, an escape of a character beyond
;; ASCII, more files than the table has room for. So is what is no such JSON. A text of sixteen bytes without quotes,
;; backslashes and control characters is copied at once.
;;
;; Memory layout, in bytes:
;;      0  table: by file, the addresses of its path and of its text, each with its end (16 * 4096)
;;  65536  code: the bundle; sixteen zeros are behind it
;; At the start the code may have 64 KB; JavaScript grows the memory for more.
(module
  (memory (export "memory") 2)
  (global (export "tableAt") i32 (i32.const 0))
  (global (export "codeAt") i32 (i32.const 65536))

  ;; The value of a hexadecimal digit; 255 for any other byte.
  (func $digit (param $byte i32) (result i32)
    (if (i32.lt_u (i32.sub (local.get $byte) (i32.const 48)) (i32.const 10))
      (then (return (i32.sub (local.get $byte) (i32.const 48)))))
    (local.set $byte (i32.or (local.get $byte) (i32.const 32)))
    (if (i32.lt_u (i32.sub (local.get $byte) (i32.const 97)) (i32.const 6))
      (then (return (i32.sub (local.get $byte) (i32.const 87)))))
    (i32.const 255))

  ;; The character of the escape whose backslash is at an address; -1 if JavaScript has to read it.
  (func $escaped (param $at i32) (result i32)
    (local $byte i32)
    (local.set $byte (i32.load8_u offset=1 (local.get $at)))
    (if (i32.eq (local.get $byte) (i32.const 110)) (then (return (i32.const 10))))
    (if
      (i32.or
        (i32.eq (local.get $byte) (i32.const 34))
        (i32.or
          (i32.eq (local.get $byte) (i32.const 92))
          (i32.eq (local.get $byte) (i32.const 47))))
      (then (return (local.get $byte))))
    (if (i32.eq (local.get $byte) (i32.const 116)) (then (return (i32.const 9))))
    (if (i32.eq (local.get $byte) (i32.const 114)) (then (return (i32.const 13))))
    (if (i32.eq (local.get $byte) (i32.const 98)) (then (return (i32.const 8))))
    (if (i32.eq (local.get $byte) (i32.const 102)) (then (return (i32.const 12))))
    (if (i32.ne (local.get $byte) (i32.const 117)) (then (return (i32.const -1))))
    ;; u00 and two digits
    (if (i32.ne (i32.load16_u offset=2 align=1 (local.get $at)) (i32.const 0x3030))
      (then (return (i32.const -1))))
    (local.set $byte
      (i32.or
        (i32.shl (call $digit (i32.load8_u offset=4 (local.get $at))) (i32.const 4))
        (call $digit (i32.load8_u offset=5 (local.get $at)))))
    (select (local.get $byte) (i32.const -1) (i32.lt_u (local.get $byte) (i32.const 128))))

  ;; Reads the files whose first path begins behind the quote at `from`. Writes their texts to `out`, each followed by a
  ;; newline, and their addresses to the table; returns their number, -1 if JavaScript has to read the bundle.
  (func (export "unpack") (param $from i32) (param $to i32) (param $out i32) (result i32)
    (local $files i32) (local $entry i32) (local $byte i32) (local $found i32) (local $sixteen v128)
    (loop $file
      (if
        (i32.or
          (i32.eq (local.get $files) (i32.const 4096))
          (i32.ne (i32.load8_u (local.get $from)) (i32.const 34)))
        (then (return (i32.const -1))))
      (local.set $from (i32.add (local.get $from) (i32.const 1)))
      (i32.store (local.get $entry) (local.get $from))
      (loop $path
        (local.set $byte (i32.load8_u (local.get $from)))
        (if
          (i32.or
            (i32.lt_u (local.get $byte) (i32.const 32))
            (i32.eq (local.get $byte) (i32.const 92)))
          (then (return (i32.const -1))))
        (local.set $from (i32.add (local.get $from) (i32.const 1)))
        (br_if $path (i32.ne (local.get $byte) (i32.const 34))))
      (i32.store offset=4 (local.get $entry) (i32.sub (local.get $from) (i32.const 1)))
      ;; :"
      (if (i32.ne (i32.load16_u align=1 (local.get $from)) (i32.const 0x223a))
        (then (return (i32.const -1))))
      (local.set $from (i32.add (local.get $from) (i32.const 2)))
      ;; A byte order mark at the start of the text is removed.
      (if
        (i32.eq
          (i32.and (i32.load align=1 (local.get $from)) (i32.const 0xffffff))
          (i32.const 0xbfbbef))
        (then (local.set $from (i32.add (local.get $from) (i32.const 3)))))
      (i32.store offset=8 (local.get $entry) (local.get $out))
      (block $end
        (loop $text
          (v128.store align=1 (local.get $out)
            (local.tee $sixteen (v128.load align=1 (local.get $from))))
          ;; found: a bit for each of the sixteen bytes that is not copied
          (local.set $found
            (i8x16.bitmask
              (v128.or
                (i8x16.lt_u (local.get $sixteen) (i8x16.splat (i32.const 32)))
                (v128.or
                  (i8x16.eq (local.get $sixteen) (i8x16.splat (i32.const 34)))
                  (i8x16.eq (local.get $sixteen) (i8x16.splat (i32.const 92)))))))
          (if (i32.eqz (local.get $found))
            (then
              (local.set $from (i32.add (local.get $from) (i32.const 16)))
              (local.set $out (i32.add (local.get $out) (i32.const 16)))
              (br $text)))
          (local.set $found (i32.ctz (local.get $found)))
          (local.set $from (i32.add (local.get $from) (local.get $found)))
          (local.set $out (i32.add (local.get $out) (local.get $found)))
          (local.set $byte (i32.load8_u (local.get $from)))
          (br_if $end (i32.eq (local.get $byte) (i32.const 34)))
          (if (i32.ne (local.get $byte) (i32.const 92)) (then (return (i32.const -1))))
          (local.set $byte (call $escaped (local.get $from)))
          (if (i32.lt_s (local.get $byte) (i32.const 0)) (then (return (i32.const -1))))
          (i32.store8 (local.get $out) (local.get $byte))
          (local.set $out (i32.add (local.get $out) (i32.const 1)))
          (local.set $from
            (i32.add
              (local.get $from)
              (select
                (i32.const 6)
                (i32.const 2)
                (i32.eq (i32.load8_u offset=1 (local.get $from)) (i32.const 117)))))
          (br $text)))
      (i32.store offset=12 (local.get $entry) (local.get $out))
      (i32.store8 (local.get $out) (i32.const 10))
      (local.set $out (i32.add (local.get $out) (i32.const 1)))
      (local.set $entry (i32.add (local.get $entry) (i32.const 16)))
      (local.set $files (i32.add (local.get $files) (i32.const 1)))
      (local.set $byte (i32.load8_u offset=1 (local.get $from)))
      (local.set $from (i32.add (local.get $from) (i32.const 2)))
      (br_if $file (i32.eq (local.get $byte) (i32.const 44))))
    ;; }} and the end
    (select
      (local.get $files)
      (i32.const -1)
      (i32.and
        (i32.eq (local.get $byte) (i32.const 125))
        (i32.and
          (i32.eq (i32.load8_u (local.get $from)) (i32.const 125))
          (i32.eq (i32.add (local.get $from) (i32.const 1)) (local.get $to)))))))
