;; scan finds the control characters of UTF-8 text, sixteen bytes at once: what indexPlainly in control-index.ts does, written
;; for speed. planFrames finds the frames of bars that are still to be seen in the end (see frames.ts). Built with wat2wasm of the WebAssembly Binary Toolkit (npm: wabt); the result stands in
;; control-index-module.ts as base64. A test compares both ways on random input.
(module
  ;; 64 KiB of bytes from 0, room for two blocks behind them; the records from 0x20000; for planFrames the covered columns of
  ;; each row from 0xb0000, the texts from 0x100000; for splitStyles the known parameters from 0x210000, the plain text from
  ;; 0x220000, the lines from 0x240000.
  (memory (export "memory") 53)
  ;; One bit for each kind of control character (its code modulo 32) that occurs.
  (global $kinds (export "kinds") (mut i32) (i32.const 0))
  ;; 1: planFrames kept texts with other characters than those of which it knows the columns.
  (global $isRough (export "isRough") (mut i32) (i32.const 0))

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
    (i32.shr_u (i32.sub (local.get $record) (i32.const 0x20000)) (i32.const 3)))

  ;; A bound from below for the columns of a text, not empty: its ASCII characters, and the narrow ones of three bytes.
  (func $leastColumns (param $p i32) (param $end i32) (result i32)
    (local $columns i32) (local $byte i32) (local $second i32)
    (loop $bytes
      (local.set $byte (i32.load8_u (local.get $p)))
      (if (i32.lt_u (local.get $byte) (i32.const 0x80))
        (then (local.set $columns (i32.add (local.get $columns) (i32.const 1))))
        (else
          (local.set $second (i32.load8_u offset=1 (local.get $p)))
          (if (i32.and (i32.eq (local.get $byte) (i32.const 0xe2)) (i32.or
              (i32.lt_u (i32.sub (local.get $second) (i32.const 0x94)) (i32.const 3))
              (i32.lt_u (i32.sub (local.get $second) (i32.const 0xa0)) (i32.const 4))))
            (then
              (local.set $columns (i32.add (local.get $columns) (i32.const 1)))
              (local.set $p (i32.add (local.get $p) (i32.const 2))))
            (else (global.set $isRough (i32.const 1))))))
      (local.set $p (i32.add (local.get $p) (i32.const 1)))
      (br_if $bytes (i32.lt_u (local.get $p) (local.get $end))))
    (local.get $columns))

  ;; Where the last splitStyles stopped: the start of a line.
  (global $splitEnd (export "splitEnd") (mut i32) (i32.const 0))

  ;; Takes whole lines of ASCII from byte $from and its record on, as long as each change of style is said in the shortest way:
  ;; `ESC [ parameters m` to a known style, text, `ESC [ 0 m`, text, and so on. Returns the number of lines. For each line stand in
  ;; memory: the end of its plain text, its own end, and 1 if it has styles.
  (func (export "splitStyles") (param $record i32) (param $count i32) (param $from i32) (result i32)
    (local $line i32) (local $last i32) (local $at i32) (local $byte i32) (local $plain i32) (local $p i32)
    (local $isOn i32) (local $isStyled i32) (local $mayOpen i32) (local $key i64) (local $bits i32)
    (local.set $last (i32.add (i32.const 0x20000) (i32.shl (local.get $count) (i32.const 3))))
    (local.set $record (i32.add (i32.const 0x20000) (i32.shl (local.get $record) (i32.const 3))))
    (local.set $line (i32.const 0x240000))
    (local.set $plain (i32.const 0x220000))
    (local.set $mayOpen (i32.const 1))
    (global.set $splitEnd (local.get $from))
    (block $stop
      (loop $controls
        (br_if $stop (i32.ge_u (local.get $record) (local.get $last)))
        (local.set $at (i32.load (local.get $record)))
        (local.set $record (i32.add (local.get $record) (i32.const 8)))
        (if (i32.gt_u (local.get $at) (local.get $from))
          (then
            (local.set $mayOpen (i32.const 1))
            ;; Sixteen bytes at once: what is copied too much is overwritten by what comes next.
            (local.set $p (local.get $plain))
            (local.set $plain (i32.add (local.get $plain) (i32.sub (local.get $at) (local.get $from))))
            (loop $copy
              (v128.store (local.get $p) (v128.load (local.get $from)))
              (local.set $from (i32.add (local.get $from) (i32.const 16)))
              (local.set $p (i32.add (local.get $p) (i32.const 16)))
              (br_if $copy (i32.lt_u (local.get $p) (local.get $plain)))))
          ;; A style without text is not said in the shortest way.
          (else (br_if $stop (local.get $isOn))))
        (local.set $byte (i32.load8_u (local.get $at)))
        (if (i32.eq (local.get $byte) (i32.const 0x0a)) (then
          (br_if $stop (local.get $isOn))
          (local.set $from (i32.add (local.get $at) (i32.const 1)))
          (i32.store (local.get $line) (i32.sub (local.get $plain) (i32.const 0x220000)))
          (i32.store offset=4 (local.get $line) (local.get $from))
          (i32.store offset=8 (local.get $line) (local.get $isStyled))
          (local.set $line (i32.add (local.get $line) (i32.const 12)))
          (global.set $splitEnd (local.get $from))
          (local.set $isStyled (i32.const 0))
          (local.set $mayOpen (i32.const 1))
          (br $controls)))
        (if (local.get $isOn) (then
          (br_if $stop (i32.ne (i32.load (local.get $at)) (i32.const 0x6d305b1b)))
          (local.set $isOn (i32.const 0))
          (local.set $mayOpen (i32.const 0))
          (local.set $from (i32.add (local.get $at) (i32.const 4)))
          (br $controls)))
        (br_if $stop (i32.eqz (local.get $mayOpen)))
        (br_if $stop (i32.ne (i32.load16_u (local.get $at)) (i32.const 0x5b1b)))
        ;; Up to seven parameter characters and the m as one number.
        (local.set $key (i64.load offset=2 (local.get $at)))
        (local.set $bits (i32.const 0))
        (loop $parameters
          (local.set $byte (i32.and (i32.wrap_i64 (i64.shr_u (local.get $key) (i64.extend_i32_u (local.get $bits)))) (i32.const 0xff)))
          (local.set $bits (i32.add (local.get $bits) (i32.const 8)))
          (br_if $parameters (i32.and (i32.ne (local.get $byte) (i32.const 0x6d)) (i32.lt_u (local.get $bits) (i32.const 64)))))
        (br_if $stop (i32.ne (local.get $byte) (i32.const 0x6d)))
        (local.set $key (i64.and (local.get $key)
          (i64.shr_u (i64.const -1) (i64.extend_i32_u (i32.sub (i32.const 64) (local.get $bits))))))
        (local.set $from (i32.add (i32.add (local.get $at) (i32.const 2)) (i32.shr_u (local.get $bits) (i32.const 3))))
        ;; Known parameters follow each other, a zero stands behind them.
        (local.set $p (i32.const 0x210000))
        (block $isKnown
          (loop $known
            (br_if $stop (i64.eqz (i64.load (local.get $p))))
            (br_if $isKnown (i64.eq (i64.load (local.get $p)) (local.get $key)))
            (local.set $p (i32.add (local.get $p) (i32.const 8)))
            (br $known)))
        (local.set $isOn (i32.const 1))
        (local.set $isStyled (i32.const 1))
        (br $controls)))
    (i32.div_u (i32.sub (local.get $line) (i32.const 0x240000)) (i32.const 12)))

  ;; The count of a complete `ESC [ A` or `ESC [ n A` with one digit, 0 for anything else.
  (func $readMoveUp (param $at i32) (result i32)
    (local $code i32)
    (if (i32.ne (i32.load8_u offset=1 (local.get $at)) (i32.const 0x5b)) (then (return (i32.const 0))))
    (local.set $code (i32.load8_u offset=2 (local.get $at)))
    (if (i32.eq (local.get $code) (i32.const 0x41)) (then (return (i32.const 1))))
    (if (i32.ne (i32.load8_u offset=3 (local.get $at)) (i32.const 0x41)) (then (return (i32.const 0))))
    (local.set $code (i32.sub (local.get $code) (i32.const 0x30)))
    (select (local.get $code) (i32.const 0) (i32.lt_u (local.get $code) (i32.const 10))))

  (func $storeText (param $text i32) (param $start i32) (param $end i32) (param $row i32) (param $scrolled i32)
    (param $reach i32) (param $most i32) (param $atStart i32)
    (i32.store (local.get $text) (local.get $start))
    (i32.store offset=4 (local.get $text) (local.get $end))
    (i32.store offset=8 (local.get $text) (local.get $row))
    (i32.store offset=12 (local.get $text) (local.get $scrolled))
    (i32.store offset=16 (local.get $text) (local.get $reach))
    (i32.store offset=20 (local.get $text) (local.get $most))
    (i32.store offset=24 (local.get $text) (local.get $atStart)))

  ;; Runs text, CR, LF and `ESC [ n A` as far as there is nothing else, from row $y of a screen of $height rows on; needs
  ;; the records of scan. The texts that are not covered by later ones stand in memory then, eight numbers each, from the
  ;; returned address on, and behind them an empty one for the end.
  (func (export "planFrames") (param $count i32) (param $y i32) (param $height i32) (result i32)
    (local $text i32) (local $last i32) (local $record i32) (local $end i32) (local $at i32) (local $byte i32)
    (local $from i32) (local $before i32) (local $up i32)
    (local $scrolled i32) (local $reach i32) (local $atStart i32) (local $cover i32) (local $columns i32)
    (local.set $text (i32.const 0x100000))
    (local.set $record (i32.const 0x20000))
    (local.set $end (i32.add (local.get $record) (i32.shl (local.get $count) (i32.const 3))))
    (local.set $reach (i32.const -1))
    (global.set $isRough (i32.const 0))
    (block $stop
      (loop $controls
        (local.set $at (i32.load (local.get $record)))
        (if (i32.gt_u (local.get $at) (local.get $from)) (then
          (call $storeText (local.get $text) (local.get $from) (local.get $at)
            (i32.add (local.get $y) (local.get $scrolled)) (local.get $scrolled) (local.get $reach)
            (i32.sub (i32.load offset=4 (local.get $record)) (local.get $before)) (local.get $atStart))
          (local.set $text (i32.add (local.get $text) (i32.const 32)))
          (local.set $atStart (i32.const 0))))
        (local.set $from (local.get $at))
        (br_if $stop (i32.eq (local.get $record) (local.get $end)))
        (local.set $byte (i32.load8_u (local.get $at)))
        (if (i32.eq (local.get $byte) (i32.const 0x0d))
          (then
            (local.set $atStart (i32.const 1))
            (local.set $from (i32.add (local.get $at) (i32.const 1))))
          (else (if (i32.eq (local.get $byte) (i32.const 0x0a))
            (then
              (local.set $atStart (i32.const 1))
              (local.set $from (i32.add (local.get $at) (i32.const 1)))
              (if (i32.eq (i32.add (local.get $y) (i32.const 1)) (local.get $height))
                (then (local.set $scrolled (i32.add (local.get $scrolled) (i32.const 1))))
                (else (local.set $y (i32.add (local.get $y) (i32.const 1)))))
              (local.set $up (i32.add (local.get $y) (local.get $scrolled)))
              (if (i32.gt_s (local.get $up) (local.get $reach)) (then (local.set $reach (local.get $up)))))
            (else
              (br_if $stop (i32.ne (local.get $byte) (i32.const 0x1b)))
              (local.set $up (call $readMoveUp (local.get $at)))
              (br_if $stop (i32.eqz (local.get $up)))
              (local.set $y (select (i32.sub (local.get $y) (local.get $up)) (i32.const 0)
                (i32.gt_u (local.get $y) (local.get $up))))
              (local.set $from (i32.add (local.get $at)
                (select (i32.const 3) (i32.const 4) (i32.eq (i32.load8_u offset=2 (local.get $at)) (i32.const 0x41)))))))))
        ;; What a sequence holds behind its ESC is counted as columns, too.
        (local.set $before (i32.sub (i32.add (i32.load offset=4 (local.get $record)) (local.get $from)) (local.get $at)))
        (local.set $record (i32.add (local.get $record) (i32.const 8)))
        (br $controls)))
    (call $storeText (local.get $text) (local.get $from) (local.get $from)
      (i32.add (local.get $y) (local.get $scrolled)) (local.get $scrolled) (local.get $reach)
      (i32.const 0) (local.get $atStart))
    ;; Backwards: what a text leaves to see is known only when those after it are. Kept texts move up behind each other.
    (memory.fill (i32.const 0xb0000) (i32.const 0) (i32.shl (i32.add (local.get $scrolled) (local.get $height)) (i32.const 2)))
    (local.set $last (local.get $text))
    (block $done
      (loop $texts
        (br_if $done (i32.eq (local.get $text) (i32.const 0x100000)))
        (local.set $text (i32.sub (local.get $text) (i32.const 32)))
        (if (i32.load offset=24 (local.get $text)) (then
          (local.set $from (i32.load (local.get $text)))
          (local.set $at (i32.load offset=4 (local.get $text)))
          (local.set $cover (i32.add (i32.const 0xb0000) (i32.shl (i32.load offset=8 (local.get $text)) (i32.const 2))))
          (local.set $columns (i32.load (local.get $cover)))
          (if (i32.le_u (i32.load offset=20 (local.get $text)) (local.get $columns))
            (then
              ;; The column behind it must not matter: the next text begins in the first one. And it has a column.
              (br_if $texts (i32.and (i32.load offset=56 (local.get $text)) (i32.or
                (i32.lt_u (i32.load8_u (local.get $from)) (i32.const 0x80))
                (i32.lt_u (i32.load8_u (i32.sub (local.get $at) (i32.const 1))) (i32.const 0x80))))))
            (else
              (local.set $up (call $leastColumns (local.get $from) (local.get $at)))
              (if (i32.gt_u (local.get $up) (local.get $columns))
                (then (i32.store (local.get $cover) (local.get $up))))))))
        (local.set $last (i32.sub (local.get $last) (i32.const 32)))
        (memory.copy (local.get $last) (local.get $text) (i32.const 32))
        (br $texts)))
    (local.get $last)))
