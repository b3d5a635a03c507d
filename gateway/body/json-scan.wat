;; Scans one JSON value, piece by piece: the loop of `json-scanner.ts`, with the table of `json-grammar.ts`.
;; `npm run generate` compiles it into `json-scan-wasm.ts`; `testing/reference-scanner.ts` does the same in TypeScript.
(module
  ;; The states and actions that the loop refers to, all multiples of 256. The states in strings are $string and the one
  ;; above it; the actions are above $done.
  (import "states" "done" (global $done i32))
  (import "states" "value" (global $value i32))
  (import "states" "firstElement" (global $firstElement i32))
  (import "states" "firstKey" (global $firstKey i32))
  (import "states" "key" (global $key i32))
  (import "states" "after" (global $after i32))
  (import "states" "string" (global $string i32))
  (import "actions" "fail" (global $fail i32))
  (import "actions" "openObject" (global $openObject i32))
  (import "actions" "closeObject" (global $closeObject i32))

  ;; Bytes 0 to 32767: the table, two bytes for each state and byte. 32768: three registers of 32 bits: status, state and
  ;; depth. 32784: one byte for each open container, 1 for an object. 65536: the piece; a load of 16 bytes may reach
  ;; beyond its end.
  (memory (export "memory") 3)
  (global (export "registersAt") i32 (i32.const 32768))
  (global (export "containersAt") i32 (i32.const 32784))
  (global (export "pieceAt") i32 (i32.const 65536))
  (global (export "pieceBytesMax") i32 (i32.const 65536))

  ;; The first byte from $at on that needs a look at the table: a control character, `"`, `\` or a byte above 0x7f (which
  ;; is negative here). $to if there is none.
  (func $plainEnd (param $at i32) (param $to i32) (result i32)
    (local $bytes v128)
    (local $others i32)
    (loop $more
      (local.set $bytes (v128.load (local.get $at)))
      (local.set $others
        (i8x16.bitmask
          (v128.or
            (i8x16.lt_s (local.get $bytes) (i8x16.splat (i32.const 0x20)))
            (v128.or
              (i8x16.eq (local.get $bytes) (i8x16.splat (i32.const 0x22)))
              (i8x16.eq (local.get $bytes) (i8x16.splat (i32.const 0x5c)))))))
      (if (i32.eqz (local.get $others))
        (then
          (local.set $at (i32.add (local.get $at) (i32.const 16)))
          (br_if $more (i32.lt_u (local.get $at) (local.get $to)))
          (return (local.get $to)))))
    (local.set $at (i32.add (local.get $at) (i32.ctz (local.get $others))))
    (select (local.get $at) (local.get $to) (i32.lt_u (local.get $at) (local.get $to))))

  ;; Scans the first $length bytes of the piece, and returns how many it has consumed: all of them while scanning, up to
  ;; the end of a complete value, or up to the first byte that is not allowed.
  (func (export "scan") (param $length i32) (param $depthMax i32) (result i32)
    (local $at i32)
    (local $to i32)
    (local $state i32)
    (local $next i32)
    (local $depth i32)
    (local $status i32)
    (local $isObject i32)
    (local.set $at (i32.const 65536))
    (local.set $to (i32.add (local.get $at) (local.get $length)))
    (local.set $state (i32.load offset=32772 (i32.const 0)))
    (local.set $depth (i32.load offset=32776 (i32.const 0)))
    (block $stop
      (loop $bytes
        (br_if $stop (i32.ge_u (local.get $at) (local.get $to)))
        (local.set $next
          (i32.load16_u
            (i32.shl (i32.or (local.get $state) (i32.load8_u (local.get $at))) (i32.const 1))))
        ;; In numbers and literals, and between values, that is all.
        (if (i32.lt_u (local.get $next) (global.get $string))
          (then
            (local.set $state (local.get $next))
            (local.set $at (i32.add (local.get $at) (i32.const 1)))
            (br $bytes)))
        (block $taken
          (br_if $taken (i32.le_u (local.get $next) (global.get $done)))
          (block $after
            (block $complete
              (block $malformed
                (block $comma
                  (block $close
                    (block $open
                      (block $numberEnd
                        (block $valueEnd
                          ;; In the order of the grammar's actions.
                          (br_table $malformed $valueEnd $numberEnd $open $open $close $close $comma
                            (i32.shr_u (i32.sub (local.get $next) (global.get $fail)) (i32.const 8))))
                        ;; The last byte of a string or literal.
                        (br_if $after (local.get $depth))
                        (local.set $at (i32.add (local.get $at) (i32.const 1)))
                        (br $complete))
                      ;; White space after a number.
                      (br_if $after (local.get $depth))
                      (br $complete))
                    ;; `{` or `[`
                    (if (i32.eq (local.get $depth) (local.get $depthMax))
                      (then
                        (local.set $status (i32.const 3))
                        (br $stop)))
                    (local.set $isObject (i32.eq (local.get $next) (global.get $openObject)))
                    (i32.store8 offset=32784 (local.get $depth) (local.get $isObject))
                    (local.set $depth (i32.add (local.get $depth) (i32.const 1)))
                    (local.set $next
                      (select (global.get $firstKey) (global.get $firstElement) (local.get $isObject)))
                    (br $taken))
                  ;; `}` or `]`; outside any container, it can only follow a number.
                  (br_if $complete (i32.eqz (local.get $depth)))
                  (local.set $depth (i32.sub (local.get $depth) (i32.const 1)))
                  (br_if $malformed
                    (i32.ne
                      (i32.load8_u offset=32784 (local.get $depth))
                      (i32.eq (local.get $next) (global.get $closeObject))))
                  (br_if $after (local.get $depth))
                  (local.set $at (i32.add (local.get $at) (i32.const 1)))
                  (br $complete))
                ;; `,`; the same applies.
                (br_if $complete (i32.eqz (local.get $depth)))
                (local.set $next
                  (select
                    (global.get $key)
                    (global.get $value)
                    (i32.load8_u offset=32783 (local.get $depth))))
                (br $taken))
              ;; $malformed
              (local.set $status (i32.const 2))
              (br $stop))
            ;; $complete
            (local.set $status (i32.const 1))
            (br $stop))
          ;; $after
          (local.set $next (global.get $after)))
        ;; $taken
        (local.set $state (local.get $next))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (br_if $bytes (i32.lt_u (local.get $state) (global.get $string)))
        ;; Before a multi-byte character, loading 16 bytes at once would gain nothing.
        (br_if $bytes (i32.lt_s (i32.load8_s (local.get $at)) (i32.const 0x20)))
        (local.set $at (call $plainEnd (local.get $at) (local.get $to)))
        (br $bytes)))
    (i32.store offset=32768 (i32.const 0) (local.get $status))
    (i32.store offset=32772 (i32.const 0) (local.get $state))
    (i32.store offset=32776 (i32.const 0) (local.get $depth))
    (i32.sub (local.get $at) (i32.const 65536))))
