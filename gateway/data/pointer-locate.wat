;; Finds the value that a JSON Pointer names in valid JSON, piece by piece: the loop of `pointer-locator.ts`.
;; `npm run generate` compiles it into `pointer-locate-wasm.ts`; `testing/reference-locator.ts` does the same in
;; TypeScript.
(module
  ;; Bytes 0 to 95 are registers:
  ;;    0 mode: 0 between tokens, 1 in a string, 2 after its backslash, 3 in a key that is compared, 4 after its
  ;;      backslash, 5 in the digits of its \u, 6 in one of its multi-byte characters
  ;;    4 depth: the number of open containers
  ;;    8 levels: how many of them, from the outermost, lie on the path of the pointer
  ;;   12 matches: 1 if the next value is the one that the steps so far lead to
  ;;   16 keyNext: 1 if the next string at the innermost level is a key
  ;;   20 inKey: 1 while the string is such a key
  ;;   24 keyUnits: how many UTF-16 units of the key equal those of the step so far
  ;;   28 character: the part of a character or escape of the key that has been read
  ;;   32 pending: how many of its bytes or digits are missing
  ;;   36 steps: the number of steps of the pointer
  ;;   40 opened: the first byte of the wanted value while it is open, else 0
  ;;   44 found: the first byte of the last complete wanted value, else 0
  ;;   48 base: the offset of the piece in the document, as a double, like the next three
  ;;   56 openedAt   64 foundAt   72 foundLength
  ;; 65536: the piece; a load of 16 bytes may reach beyond its end. 131136: 32 bytes for each step: the address of its
  ;; UTF-16 units, their number, the array index that it names or -1, and while its level is open, 1 for an array, and
  ;; the index of the current element.
  (memory (export "memory") 3)
  (global (export "pieceAt") i32 (i32.const 65536))
  (global (export "pieceBytesMax") i32 (i32.const 65536))
  (global (export "stepsAt") i32 (i32.const 131136))

  ;; The address of step $index.
  (func $step (param $index i32) (result i32)
    (i32.add (i32.const 131136) (i32.shl (local.get $index) (i32.const 5))))

  ;; The offset in the document of an address in the piece.
  (func $offset (param $at i32) (result f64)
    (f64.add (f64.load offset=48 (i32.const 0))
      (f64.convert_i32_u (i32.sub (local.get $at) (i32.const 65536)))))

  ;; A value begins; called only on the path of the pointer.
  (func $beginValue (param $at i32)
    (if (i32.eqz (i32.load offset=12 (i32.const 0))) (then (return)))
    (i32.store offset=12 (i32.const 0) (i32.const 0))
    (i32.store offset=44 (i32.const 0) (i32.const 0))
    (if (i32.eq (i32.load offset=8 (i32.const 0)) (i32.load offset=36 (i32.const 0)))
      (then
        (i32.store offset=40 (i32.const 0) (i32.load8_u (local.get $at)))
        (f64.store offset=56 (i32.const 0) (call $offset (local.get $at))))))

  ;; Ends the wanted value before $at if it is open.
  (func $endValue (param $at i32)
    (if (i32.eqz (i32.load offset=40 (i32.const 0))) (then (return)))
    (i32.store offset=44 (i32.const 0) (i32.load offset=40 (i32.const 0)))
    (f64.store offset=64 (i32.const 0) (f64.load offset=56 (i32.const 0)))
    (f64.store offset=72 (i32.const 0)
      (f64.sub (call $offset (local.get $at)) (f64.load offset=56 (i32.const 0))))
    (i32.store offset=40 (i32.const 0) (i32.const 0)))

  ;; Another member of the innermost level begins.
  (func $enterMember
    (local $level i32)
    (local.set $level (call $step (i32.sub (i32.load offset=8 (i32.const 0)) (i32.const 1))))
    (i32.store offset=12 (i32.const 0)
      (i32.and
        (i32.load offset=12 (local.get $level))
        (i32.eq (i32.load offset=16 (local.get $level)) (i32.load offset=8 (local.get $level)))))
    (i32.store offset=16 (i32.const 0) (i32.eqz (i32.load offset=12 (local.get $level)))))

  ;; A container begins on the path. Returns the number of levels.
  (func $open (param $at i32) (result i32)
    (local $levels i32)
    (local $leads i32)
    (local $level i32)
    (local.set $levels (i32.load offset=8 (i32.const 0)))
    (local.set $leads
      (i32.and (i32.load offset=12 (i32.const 0))
        (i32.lt_u (local.get $levels) (i32.load offset=36 (i32.const 0)))))
    (call $beginValue (local.get $at))
    (if (i32.eqz (local.get $leads)) (then (return (local.get $levels))))
    (local.set $level (call $step (local.get $levels)))
    (i32.store offset=12 (local.get $level) (i32.eq (i32.load8_u (local.get $at)) (i32.const 0x5b)))
    (i32.store offset=16 (local.get $level) (i32.const 0))
    (local.set $levels (i32.add (local.get $levels) (i32.const 1)))
    (i32.store offset=8 (i32.const 0) (local.get $levels))
    (call $enterMember)
    (local.get $levels))

  ;; Compares one more UTF-16 unit of a key. Returns the mode: to continue comparing, or to skip the rest.
  (func $unit (param $unit i32) (result i32)
    (local $step i32)
    (local $known i32)
    (local.set $step (call $step (i32.sub (i32.load offset=8 (i32.const 0)) (i32.const 1))))
    (local.set $known (i32.load offset=24 (i32.const 0)))
    (if (i32.eq (local.get $known) (i32.load offset=4 (local.get $step))) (then (return (i32.const 1))))
    (if
      (i32.ne (local.get $unit)
        (i32.load16_u
          (i32.add (i32.load (local.get $step)) (i32.shl (local.get $known) (i32.const 1)))))
      (then (return (i32.const 1))))
    (i32.store offset=24 (i32.const 0) (i32.add (local.get $known) (i32.const 1)))
    (i32.const 3))

  ;; The same for a character of one or two units.
  (func $character (param $character i32) (result i32)
    (if (i32.lt_u (local.get $character) (i32.const 0x10000))
      (then (return (call $unit (local.get $character)))))
    (if
      (i32.eq (i32.const 1)
        (call $unit
          (i32.add (i32.const 0xd7c0) (i32.shr_u (local.get $character) (i32.const 10)))))
      (then (return (i32.const 1))))
    (call $unit
      (i32.or (i32.const 0xdc00) (i32.and (local.get $character) (i32.const 0x3ff)))))

  ;; The character that a letter after a backslash stands for, except `u`.
  (func $escaped (param $letter i32) (result i32)
    (if (i32.eq (local.get $letter) (i32.const 0x62)) (then (return (i32.const 8))))
    (if (i32.eq (local.get $letter) (i32.const 0x66)) (then (return (i32.const 12))))
    (if (i32.eq (local.get $letter) (i32.const 0x6e)) (then (return (i32.const 10))))
    (if (i32.eq (local.get $letter) (i32.const 0x72)) (then (return (i32.const 13))))
    (if (i32.eq (local.get $letter) (i32.const 0x74)) (then (return (i32.const 9))))
    (local.get $letter))

  ;; Begins a multi-byte character: this many bytes follow.
  (func $lead (param $character i32) (param $pending i32) (result i32)
    (i32.store offset=28 (i32.const 0) (local.get $character))
    (i32.store offset=32 (i32.const 0) (local.get $pending))
    (i32.const 6))

  ;; Consumes a byte of a key that is compared, and returns the next mode.
  (func $keyByte (param $mode i32) (param $byte i32) (result i32)
    (local $character i32)
    (local $pending i32)
    (if (i32.eq (local.get $mode) (i32.const 3))
      (then
        (if (i32.eq (local.get $byte) (i32.const 0x5c)) (then (return (i32.const 4))))
        (if (i32.lt_u (local.get $byte) (i32.const 0x80)) (then (return (call $unit (local.get $byte)))))
        (if (i32.lt_u (local.get $byte) (i32.const 0xe0))
          (then (return (call $lead (i32.and (local.get $byte) (i32.const 0x1f)) (i32.const 1)))))
        (if (i32.lt_u (local.get $byte) (i32.const 0xf0))
          (then (return (call $lead (i32.and (local.get $byte) (i32.const 0x0f)) (i32.const 2)))))
        (return (call $lead (i32.and (local.get $byte) (i32.const 0x07)) (i32.const 3)))))
    (if (i32.eq (local.get $mode) (i32.const 4))
      (then
        (if (i32.ne (local.get $byte) (i32.const 0x75))
          (then (return (call $unit (call $escaped (local.get $byte))))))
        (i32.store offset=28 (i32.const 0) (i32.const 0))
        (i32.store offset=32 (i32.const 0) (i32.const 4))
        (return (i32.const 5))))
    (local.set $character (i32.load offset=28 (i32.const 0)))
    (local.set $pending (i32.sub (i32.load offset=32 (i32.const 0)) (i32.const 1)))
    (local.set $character
      (if (result i32) (i32.eq (local.get $mode) (i32.const 5))
        (then
          ;; A hexadecimal letter has bit 6 set, and its low four bits are nine less than its value.
          (i32.or
            (i32.shl (local.get $character) (i32.const 4))
            (i32.add
              (i32.and (local.get $byte) (i32.const 0x0f))
              (i32.mul (i32.const 9) (i32.shr_u (local.get $byte) (i32.const 6))))))
        (else
          (i32.or
            (i32.shl (local.get $character) (i32.const 6))
            (i32.and (local.get $byte) (i32.const 0x3f))))))
    (i32.store offset=28 (i32.const 0) (local.get $character))
    (i32.store offset=32 (i32.const 0) (local.get $pending))
    (if (local.get $pending) (then (return (local.get $mode))))
    (if (i32.eq (local.get $mode) (i32.const 5)) (then (return (call $unit (local.get $character)))))
    (call $character (local.get $character)))

  ;; A key ends; sets `matches` if it equals the step.
  (func $endKey (param $matches i32)
    (i32.store offset=12 (i32.const 0) (local.get $matches))
    (i32.store offset=16 (i32.const 0) (i32.const 0))
    (i32.store offset=20 (i32.const 0) (i32.const 0)))

  ;; The prefix parity of 16 bits: each bit becomes 1 if it and those below it contain an odd number of ones.
  (func $oddUpTo (param $bits i32) (result i32)
    (local.set $bits (i32.xor (local.get $bits) (i32.shl (local.get $bits) (i32.const 1))))
    (local.set $bits (i32.xor (local.get $bits) (i32.shl (local.get $bits) (i32.const 2))))
    (local.set $bits (i32.xor (local.get $bits) (i32.shl (local.get $bits) (i32.const 4))))
    (i32.xor (local.get $bits) (i32.shl (local.get $bits) (i32.const 8))))

  ;; Consumes the first $length bytes of the piece.
  (func (export "locate") (param $length i32)
    (local $at i32) (local $to i32) (local $slowTo i32)
    (local $mode i32) (local $depth i32) (local $levels i32) (local $byte i32)
    (local $bytes v128) (local $folded v128)
    (local $quotes i32) (local $outside i32) (local $opens i32) (local $closes i32) (local $commas i32)
    (local $brackets i32) (local $before i32) (local $within i32) (local $count i32) (local $passing i32)
    (local $level i32)
    (local.set $at (i32.const 65536))
    (local.set $to (i32.add (local.get $at) (local.get $length)))
    (local.set $mode (i32.load (i32.const 0)))
    (local.set $depth (i32.load offset=4 (i32.const 0)))
    (local.set $levels (i32.load offset=8 (i32.const 0)))
    (block $end
      (loop $next
        (br_if $end (i32.ge_u (local.get $at) (local.get $to)))
        (block $slow
          ;; 16 bytes at once, unless that has just failed for them, or they contain a backslash.
          (br_if $slow (i32.lt_u (local.get $at) (local.get $slowTo)))
          (br_if $slow (i32.gt_u (local.get $mode) (i32.const 1)))
          (br_if $slow (i32.gt_u (i32.add (local.get $at) (i32.const 16)) (local.get $to)))
          (local.set $slowTo (i32.add (local.get $at) (i32.const 16)))
          (local.set $bytes (v128.load (local.get $at)))
          (br_if $slow
            (v128.any_true (i8x16.eq (local.get $bytes) (i8x16.splat (i32.const 0x5c)))))
          (local.set $quotes
            (i8x16.bitmask (i8x16.eq (local.get $bytes) (i8x16.splat (i32.const 0x22)))))
          (if (i32.and (local.get $mode) (i32.eqz (local.get $quotes)))
            (then
              (local.set $at (local.get $slowTo))
              (br $next)))
          (br_if $slow (i32.eqz (local.get $levels)))
          ;; In an array, elements before and after the wanted one are skipped.
          (local.set $level (call $step (i32.sub (local.get $levels) (i32.const 1))))
          (local.set $passing
            (i32.and
              (i32.load offset=12 (local.get $level))
              (i32.eqz
                (i32.or (i32.load offset=12 (i32.const 0)) (i32.load offset=40 (i32.const 0))))))
          (br_if $slow
            (i32.and
              (i32.eq (local.get $depth) (local.get $levels))
              (i32.eqz (local.get $passing))))
          (local.set $outside
            (i32.xor
              (call $oddUpTo (local.get $quotes))
              (select (i32.const 0) (i32.const -1) (local.get $mode))))
          ;; This turns `[` into `{`, and `]` into `}`.
          (local.set $folded (v128.or (local.get $bytes) (i8x16.splat (i32.const 0x20))))
          (local.set $opens
            (i32.and (local.get $outside)
              (i8x16.bitmask (i8x16.eq (local.get $folded) (i8x16.splat (i32.const 0x7b))))))
          (local.set $closes
            (i32.and (local.get $outside)
              (i8x16.bitmask (i8x16.eq (local.get $folded) (i8x16.splat (i32.const 0x7d))))))
          (local.set $within (i32.sub (local.get $depth) (local.get $levels)))
          (if
            (i32.gt_s (local.get $within) (i32.popcnt (local.get $closes)))
            (then
              ;; All of it is below the level.
              (local.set $within
                (i32.sub
                  (i32.add (local.get $within) (i32.popcnt (local.get $opens)))
                  (i32.popcnt (local.get $closes)))))
            (else
              (local.set $commas
                (i32.and (local.get $outside)
                  (i8x16.bitmask (i8x16.eq (local.get $bytes) (i8x16.splat (i32.const 0x2c))))))
              (local.set $count (i32.load offset=16 (local.get $level)))
              (local.set $brackets (i32.or (local.get $opens) (local.get $closes)))
              ;; From bracket to bracket; all commas between two brackets are on the same level.
              (loop $bracket
                (local.set $before
                  (i32.and
                    (i32.sub (local.get $brackets) (i32.const 1))
                    (i32.xor (local.get $brackets) (i32.const -1))))
                (if (i32.eqz (local.get $within))
                  (then
                    (local.set $count
                      (i32.add (local.get $count)
                        (i32.popcnt (i32.and (local.get $commas) (local.get $before)))))))
                (local.set $commas
                  (i32.and (local.get $commas) (i32.xor (local.get $before) (i32.const -1))))
                (if (local.get $brackets)
                  (then
                    (local.set $within
                      (select
                        (i32.add (local.get $within) (i32.const 1))
                        (i32.sub (local.get $within) (i32.const 1))
                        (i32.and (local.get $opens)
                          (i32.and (local.get $brackets)
                            (i32.sub (i32.const 0) (local.get $brackets))))))
                    (br_if $slow (i32.lt_s (local.get $within) (i32.eqz (local.get $passing))))
                    (local.set $brackets
                      (i32.and (local.get $brackets)
                        (i32.sub (local.get $brackets) (i32.const 1))))
                    (br $bracket))))
              ;; Unsigned, so that -1 (no index) exceeds every count.
              (br_if $slow
                (i32.and
                  (i32.ge_u (local.get $count) (i32.load offset=8 (local.get $level)))
                  (i32.lt_u (i32.load offset=16 (local.get $level)) (i32.load offset=8 (local.get $level)))))
              (i32.store offset=16 (local.get $level) (local.get $count))))
          (local.set $depth (i32.add (local.get $levels) (local.get $within)))
          (local.set $mode
            (i32.xor (local.get $mode) (i32.and (i32.popcnt (local.get $quotes)) (i32.const 1))))
          (local.set $at (local.get $slowTo))
          (br $next))
        (local.set $byte (i32.load8_u (local.get $at)))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (if (local.get $mode)
          (then
            (if (i32.eq (local.get $mode) (i32.const 2))
              (then
                (local.set $mode (i32.const 1))
                (br $next)))
            (if
              (i32.and
                (i32.eq (local.get $byte) (i32.const 0x22))
                (i32.or (i32.eq (local.get $mode) (i32.const 1)) (i32.eq (local.get $mode) (i32.const 3))))
              (then
                (if (i32.load offset=20 (i32.const 0))
                  (then
                    (call $endKey
                      (i32.and
                        (i32.eq (local.get $mode) (i32.const 3))
                        (i32.eq
                          (i32.load offset=24 (i32.const 0))
                          (i32.load offset=4
                            (call $step (i32.sub (local.get $levels) (i32.const 1))))))))
                  (else
                    (if (i32.eq (local.get $depth) (local.get $levels))
                      (then (call $endValue (local.get $at))))))
                (local.set $mode (i32.const 0))
                (br $next)))
            (if (i32.eq (local.get $mode) (i32.const 1))
              (then
                (if (i32.eq (local.get $byte) (i32.const 0x5c)) (then (local.set $mode (i32.const 2))))
                (br $next)))
            (local.set $mode (call $keyByte (local.get $mode) (local.get $byte)))
            (br $next)))
        (if (i32.eq (local.get $byte) (i32.const 0x22))
          (then
            (local.set $mode (i32.const 1))
            (br_if $next (i32.ne (local.get $depth) (local.get $levels)))
            (if (i32.load offset=16 (i32.const 0))
              (then
                (local.set $mode (i32.const 3))
                (i32.store offset=20 (i32.const 0) (i32.const 1))
                (i32.store offset=24 (i32.const 0) (i32.const 0)))
              (else (call $beginValue (i32.sub (local.get $at) (i32.const 1)))))
            (br $next)))
        (local.set $level (i32.or (local.get $byte) (i32.const 0x20)))
        (if (i32.eq (local.get $level) (i32.const 0x7b))
          (then
            (if (i32.eq (local.get $depth) (local.get $levels))
              (then (local.set $levels (call $open (i32.sub (local.get $at) (i32.const 1))))))
            (local.set $depth (i32.add (local.get $depth) (i32.const 1)))
            (br $next)))
        (if (i32.eq (local.get $level) (i32.const 0x7d))
          (then
            (if (i32.eq (local.get $depth) (local.get $levels))
              (then
                (call $endValue (i32.sub (local.get $at) (i32.const 1)))
                (local.set $levels (i32.sub (local.get $levels) (i32.const 1)))
                (i32.store offset=8 (i32.const 0) (local.get $levels))
                (i32.store offset=12 (i32.const 0) (i32.const 0))))
            (local.set $depth (i32.sub (local.get $depth) (i32.const 1)))
            (if (i32.eq (local.get $depth) (local.get $levels))
              (then (call $endValue (local.get $at))))
            (br $next)))
        (br_if $next (i32.ne (local.get $depth) (local.get $levels)))
        (if (i32.eq (local.get $byte) (i32.const 0x2c))
          (then
            (call $endValue (i32.sub (local.get $at) (i32.const 1)))
            (br_if $next (i32.eqz (local.get $levels)))
            (local.set $level (call $step (i32.sub (local.get $levels) (i32.const 1))))
            (i32.store offset=16 (local.get $level)
              (i32.add (i32.load offset=16 (local.get $level)) (i32.const 1)))
            (call $enterMember)
            (br $next)))
        (br_if $next (i32.eq (local.get $byte) (i32.const 0x3a)))
        (if (i32.le_u (local.get $byte) (i32.const 0x20))
          (then (call $endValue (i32.sub (local.get $at) (i32.const 1))))
          (else (call $beginValue (i32.sub (local.get $at) (i32.const 1)))))
        (br $next)))
    (i32.store (i32.const 0) (local.get $mode))
    (i32.store offset=4 (i32.const 0) (local.get $depth))
    (i32.store offset=8 (i32.const 0) (local.get $levels))))
