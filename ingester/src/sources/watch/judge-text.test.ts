import { gzipSync } from 'node:zlib';
import { explainNoText } from './judge-text.js';

/** Bytes of weights, the same each time. */
function createNoise(length: number): Buffer {
  let state = 42;
  return Buffer.from(Array.from({ length }, () => (state = (state * 1103515245 + 12345) % 2 ** 31) >> 16));
}

const FLOATS = Buffer.from(Float32Array.from({ length: 3000 }, (_, i) => Math.sin(i) / 10).buffer);
const TENSORS = JSON.stringify({ 'layer-1.(a)': { dtype: 'F32', shape: [3000], data_offsets: [0, 12000] } });
const LENGTH = Buffer.alloc(8);
LENGTH.writeBigUInt64LE(BigInt(TENSORS.length));

it.each<[string, Buffer]>([
  ['noise', createNoise(8000)],
  ['weights', FLOATS],
  ['safetensors', Buffer.concat([LENGTH, Buffer.from(TENSORS.padEnd(7900)), FLOATS]).subarray(0, 8000)],
  ['gzip', gzipSync('a line\n'.repeat(10_000))],
  ['a short gzip', gzipSync('a\n')],
  [
    'sqlite',
    Buffer.concat([Buffer.from('SQLite format 3\0\x10\0\x01\x01\0@  \0\0\0\x05\0\0\0\x02'), Buffer.alloc(70)]),
  ],
  ['png', Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89', 'latin1')],
  ['core', Buffer.concat([Buffer.from('\x7fELF\x02\x01\x01'), Buffer.alloc(9), Buffer.from('\x04\0>\0\x01\0\0\0')])],
  ['zip', Buffer.from('PK\x03\x04\0\0\x08\x08\0\0\0\0\0\0\0\0\0\0archive/data.pkl')],
  ['pdf', Buffer.from('%PDF-1.5\n% a comment\n')],
])('%s is not text', (_name, bytes) => expect(explainNoText(bytes)).toMatch(/^it is binary/));

it.each<[string, Buffer]>([
  ['little endian', Buffer.from('\ufeffstep 1\n', 'utf16le')],
  ['big endian', Buffer.from('\ufeffstep 1\n', 'utf16le').swap16()],
])('UTF-16 is named: %s', (_name, bytes) => expect(explainNoText(bytes)).toMatch(/^it is UTF-16/));

it.each<[string, Buffer]>([
  ['nothing', Buffer.alloc(0)],
  ['a line', Buffer.from('step 1\n')],
  ['Latin-1', Buffer.from('Temp\xe9rature: 20 \xb0C\n'.repeat(300), 'latin1')],
  ['UTF-8 that is cut', Buffer.from('日本\n'.repeat(3000)).subarray(0, 7999)],
  ['one NUL in a short line', Buffer.from('a\0b\n')],
  ['stray NULs', Buffer.from(`${'loss 0.5, step 7 (a-b.c)\n'.repeat(4)}\0`.repeat(80))],
  ['colours, bars and bells', Buffer.from('\x1b[32m45%|###\x1b[0m\r\b\b\x07\n'.repeat(200))],
  ['a log that was emptied under its writer', Buffer.concat([Buffer.alloc(5000), Buffer.from('step 1\n'.repeat(20))])],
  ['a hole', Buffer.alloc(8000)],
  ['a UTF-8 byte order mark', Buffer.from('\ufeffstep 1\n')],
])('%s is text', (_name, bytes) => expect(explainNoText(bytes)).toBeUndefined());
