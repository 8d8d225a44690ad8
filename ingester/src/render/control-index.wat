;; Finds the control characters of UTF-8 text, sixteen bytes at once: what indexPlainly in control-index.ts does, written
;; for speed. Built with wat2wasm of the WebAssembly Binary Toolkit (npm: wabt); the result stands in
;; control-index-module.ts as base64. A test compares both ways on random input.
(module
  ;; 64 KiB of bytes from 0, room for two blocks behind them; the records from 128 KiB.
  (memory (export "memory") 11)
  ;; One bit for each kind of control character (its code modulo 32) that occurs.
  (global $kinds (export "kinds") (mut i32) (i32.const 0))

  ;; Looks at bytes 0 to $length and returns the number of controls. Writes a record for each, and one more for the end.
  (func (export "scan") (param $length i32) (result i32)
    (local $p i32) (local $record i32) (local $offset i32) (local $spare i32)
    (local $bytes v128) (local $next v128)
    ;; One bit for each byte: a control character, beyond ASCII, the first of a narrow character of three.
    (local $control i32) (local $high i32) (local $narrow i32)
    (local.set $record (i32.const 0x20000))
    (global.set $kinds (i32.const 0))
    ;; The bytes behind the end belong to no character.
    (v128.store (local.get $length) (i8x16.splat (i32.const 0x20)))
    (v128.store offset=16 (local.get $length) (i8x16.splat (i32.const 0x20)))
    (block $end
      (loop $blocks
        (br_if $end (i32.ge_u (local.get $p) (local.get $length)))
        (local.set $bytes (v128.load (local.get $p)))
        (local.set $high (i8x16.bitmask (local.get $bytes)))
        ;; Comparisons are of signed bytes, where 80 to FF come first. Controls: below 20, but not those; and 7F.
        (local.set $control (i32.and (i32.xor (local.get $high) (i32.const -1)) (i8x16.bitmask (v128.or
          (i8x16.lt_s (local.get $bytes) (i8x16.splat (i32.const 0x20)))
          (i8x16.eq (local.get $bytes) (i8x16.splat (i32.const 0x7f)))))))
        (local.set $narrow (i32.const 0))
        (if (local.get $high) (then
          (local.set $next (v128.load offset=1 (local.get $p)))
          ;; U+2500 to U+25BF and U+2800 to U+28FF: first byte E2, second 94 to 96 or A0 to A3.
          (local.set $narrow (i8x16.bitmask (v128.and
            (i8x16.eq (local.get $bytes) (i8x16.splat (i32.const 0xe2)))
            (v128.or
              (i8x16.lt_s (i8x16.sub (local.get $next) (i8x16.splat (i32.const 0x14))) (i8x16.splat (i32.const -125)))
              (i8x16.lt_s (i8x16.sub (local.get $next) (i8x16.splat (i32.const 0x20))) (i8x16.splat (i32.const -124)))))))))
        (block $noMore
          (loop $controls
            (br_if $noMore (i32.eqz (local.get $control)))
            (local.set $offset (i32.add (local.get $p) (i32.ctz (local.get $control))))
            (global.set $kinds (i32.or (global.get $kinds)
              (i32.shl (i32.const 1) (i32.load8_u (local.get $offset)))))
            (i32.store (local.get $record) (local.get $offset))
            ;; Of the narrow characters in this block, those before the control: below its bit.
            (i32.store offset=4 (local.get $record) (i32.sub (local.get $offset) (i32.add (local.get $spare)
              (i32.shl (i32.popcnt (i32.and (local.get $narrow) (i32.and
                (i32.sub (local.get $control) (i32.const 1))
                (i32.xor (local.get $control) (i32.const -1))))) (i32.const 1)))))
            (local.set $record (i32.add (local.get $record) (i32.const 8)))
            (local.set $control (i32.and (local.get $control) (i32.sub (local.get $control) (i32.const 1))))
            (br $controls)))
        (local.set $spare (i32.add (local.get $spare) (i32.shl (i32.popcnt (local.get $narrow)) (i32.const 1))))
        (local.set $p (i32.add (local.get $p) (i32.const 16)))
        (br $blocks)))
    (i32.store (local.get $record) (local.get $length))
    (i32.store offset=4 (local.get $record) (i32.sub (local.get $length) (local.get $spare)))
    (i32.shr_u (i32.sub (local.get $record) (i32.const 0x20000)) (i32.const 3))))
