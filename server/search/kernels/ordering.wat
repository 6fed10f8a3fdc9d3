;; Sorts pairs of gram and document by gram, and writes the posting list of each gram. A pair is one word: the number of
;; the document above 11 bits of the gram. The other bits of the gram choose one of 256 buckets, each of which is sorted
;; while the processor's caches hold it. Buckets are chains of chunks of 64 KB.
;;
;; Memory layout, in bytes:
;;        0  next: by bucket, the address where it continues (4 * 256)
;;     1024  top: the address of the next chunk
;;     1028  owners: by chunk, its bucket (65536)
;;    66564  bounds: by the lower bits of a gram, the position where its documents begin, then end (4 * 2049)
;;    74760  grams: those of the next document (4 * 2 * 64 ** 3)
;;  2228224  chunks, behind them what `place` and `encode` write
;; The memory has no chunk at the start; JavaScript grows it.
(module
  (memory (export "memory") 34)
  (global (export "nextAt") i32 (i32.const 0))
  (global (export "topAt") i32 (i32.const 1024))
  (global (export "ownersAt") i32 (i32.const 1028))
  (global (export "boundsAt") i32 (i32.const 66564))
  (global (export "gramsAt") i32 (i32.const 74760))
  (global (export "chunksAt") i32 (i32.const 2228224))

  ;; Adds the grams of one document to the buckets; $document is its number << 11. For each gram:
  ;;
  ;;   bucket = gram >>> 11; at = next[bucket];
  ;;   if (at % CHUNK === 0) { at = top; top += CHUNK; owners[at / CHUNK] = bucket; }
  ;;   memory[at] = document | gram % 2048; next[bucket] = at + 4;
  (func (export "scatter") (param $from i32) (param $to i32) (param $document i32)
    (local $gram i32) (local $bucket i32) (local $at i32)
    (loop $each
      (local.set $gram (i32.load (local.get $from)))
      ;; in bytes of `next`: 4 for each bucket
      (local.set $bucket (i32.shl (i32.shr_u (local.get $gram) (i32.const 11)) (i32.const 2)))
      (local.set $at (i32.load (local.get $bucket)))
      (if (i32.eq (i32.and (local.get $at) (i32.const 0xffff)) (i32.const 0))
        (then
          (local.set $at (i32.load offset=1024 (i32.const 0)))
          (i32.store offset=1024 (i32.const 0) (i32.add (local.get $at) (i32.const 0x10000)))
          (i32.store8 offset=1028
            (i32.shr_u (local.get $at) (i32.const 16))
            (i32.shr_u (local.get $bucket) (i32.const 2)))))
      (i32.store (local.get $at)
        (i32.or (local.get $document) (i32.and (local.get $gram) (i32.const 2047))))
      (i32.store (local.get $bucket) (i32.add (local.get $at) (i32.const 4)))
      (local.set $from (i32.add (local.get $from) (i32.const 4)))
      (br_if $each (i32.lt_u (local.get $from) (local.get $to)))))

  ;; Counts the words of a chunk by gram: bounds[word % 2048 + 1] += 1
  (func (export "count") (param $from i32) (param $to i32)
    (local $low i32)
    (loop $each
      (local.set $low
        (i32.shl (i32.and (i32.load (local.get $from)) (i32.const 2047)) (i32.const 2)))
      (i32.store offset=66568 (local.get $low)
        (i32.add (i32.load offset=66568 (local.get $low)) (i32.const 1)))
      (local.set $from (i32.add (local.get $from) (i32.const 4)))
      (br_if $each (i32.lt_u (local.get $from) (local.get $to)))))

  ;; Writes the documents of a chunk in the order of their grams: documents[bounds[word % 2048]++] = word >>> 11
  (func (export "place") (param $from i32) (param $to i32) (param $documents i32)
    (local $word i32) (local $low i32) (local $bound i32)
    (loop $each
      (local.set $word (i32.load (local.get $from)))
      (local.set $low (i32.shl (i32.and (local.get $word) (i32.const 2047)) (i32.const 2)))
      (local.set $bound (i32.load offset=66564 (local.get $low)))
      (i32.store offset=66564 (local.get $low) (i32.add (local.get $bound) (i32.const 1)))
      (i32.store
        (i32.add (local.get $documents) (i32.shl (local.get $bound) (i32.const 2)))
        (i32.shr_u (local.get $word) (i32.const 11)))
      (local.set $from (i32.add (local.get $from) (i32.const 4)))
      (br_if $each (i32.lt_u (local.get $from) (local.get $to)))))

  ;; Writes the posting list of the documents between two addresses, in at most $most bytes; returns its length. The
  ;; list has the distances from one document to the next, seven bits to a byte, the lowest first. When that takes $most
  ;; bytes or more, it has a bit for each document instead, which takes $most.
  (func (export "encode") (param $from i32) (param $to i32) (param $out i32) (param $most i32) (result i32)
    (local $at i32) (local $end i32) (local $document i32) (local $last i32) (local $distance i32) (local $each i32)
    (local.set $end (i32.add (local.get $out) (local.get $most)))
    (if
      (i32.lt_u
        (i32.shr_u (i32.sub (local.get $to) (local.get $from)) (i32.const 2))
        (local.get $most))
      (then
        (local.set $last (i32.const -1))
        (local.set $at (local.get $out))
        (local.set $each (local.get $from))
        (loop $distances
          (local.set $document (i32.load (local.get $each)))
          (local.set $distance (i32.sub (local.get $document) (local.get $last)))
          (local.set $last (local.get $document))
          (if (i32.lt_s (i32.const 127) (local.get $distance))
            (then
              (loop $long
                (i32.store8 (local.get $at) (i32.or (local.get $distance) (i32.const 128)))
                (local.set $at (i32.add (local.get $at) (i32.const 1)))
                (local.set $distance (i32.shr_u (local.get $distance) (i32.const 7)))
                (br_if $long (i32.lt_s (i32.const 127) (local.get $distance))))))
          (i32.store8 (local.get $at) (local.get $distance))
          (local.set $at (i32.add (local.get $at) (i32.const 1)))
          (local.set $each (i32.add (local.get $each) (i32.const 4)))
          (br_if $distances
            (i32.and
              (i32.lt_u (local.get $each) (local.get $to))
              (i32.lt_u (local.get $at) (local.get $end)))))
        (if (i32.lt_u (local.get $at) (local.get $end))
          (then (return (i32.sub (local.get $at) (local.get $out)))))))
    (local.set $at (local.get $out))
    (loop $clear
      (i32.store8 (local.get $at) (i32.const 0))
      (local.set $at (i32.add (local.get $at) (i32.const 1)))
      (br_if $clear (i32.lt_u (local.get $at) (local.get $end))))
    (loop $bits
      (local.set $document (i32.load (local.get $from)))
      (local.set $at (i32.add (local.get $out) (i32.shr_u (local.get $document) (i32.const 3))))
      (i32.store8 (local.get $at)
        (i32.or
          (i32.load8_u (local.get $at))
          (i32.shl (i32.const 1) (i32.and (local.get $document) (i32.const 7)))))
      (local.set $from (i32.add (local.get $from) (i32.const 4)))
      (br_if $bits (i32.lt_u (local.get $from) (local.get $to))))
    (local.get $most)))
