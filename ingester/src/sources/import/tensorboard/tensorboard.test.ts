import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import type { Point } from '@joblens/core/point/point';
import { prepareJoblens } from '../../../testing/joblens.js';
import { readMetadata } from '../../../testing/stored-points.js';
import { atNs, BEGIN_MS, importSource, pointsOf } from '../testing/import-file.js';
import { maskedCrc32c } from './crc32c.js';

const joblens = prepareJoblens();
afterAll(() => joblens.remove());

type Write = (writer: BinaryWriter) => void;

/** A field that is a message. */
const nest =
  (number: number, write: Write): Write =>
  (writer) => {
    writer.tag(number, WireType.LengthDelimited).fork();
    write(writer);
    writer.join();
  };
const text =
  (number: number, value: string): Write =>
  (writer) =>
    void writer.tag(number, WireType.LengthDelimited).string(value);
const double =
  (number: number, value: number): Write =>
  (writer) =>
    void writer.tag(number, WireType.Bit64).double(value);
const float =
  (number: number, value: number): Write =>
  (writer) =>
    void writer.tag(number, WireType.Bit32).float(value);
const integer =
  (number: number, value: number): Write =>
  (writer) =>
    void writer.tag(number, WireType.Varint).int64(value);
const all =
  (...parts: readonly Write[]): Write =>
  (writer) =>
    parts.forEach((part) => part(writer));

/** An event with one value of a summary. */
const event = (seconds: number, step: number, tag: string, value: Write): Write =>
  all(double(1, BEGIN_MS / 1000 + seconds), integer(2, step), nest(5, nest(1, all(text(1, tag), value))));
const plugin = (name: string, content: Write = all()): Write => nest(9, nest(1, all(text(1, name), nest(2, content))));
const scalar = (value: number): Write => float(2, value);
/** As TensorFlow 2 writes it: a tensor. */
const tensor = (value: number): Write =>
  all(
    nest(
      8,
      all(
        integer(1, 1),
        nest(2, all()),
        nest(5, (writer) => void writer.raw(floatBytes(value)))
      )
    ),
    plugin('scalars')
  );
const packed = (value: number): Write =>
  all(
    nest(
      8,
      all(
        integer(1, 2),
        nest(4, (writer) => void writer.raw(doubleBytes(value)))
      )
    ),
    plugin('scalars')
  );
const words = (...values: readonly string[]): Write =>
  all(nest(8, all(integer(1, 7), ...values.map((value) => text(8, value)))), plugin('text'));
const entry = (key: string, value: Write): Write => nest(1, all(text(1, key), nest(2, value)));

const floatBytes = (value: number): Uint8Array => new Uint8Array(new Float32Array([value]).buffer);
const doubleBytes = (value: number): Uint8Array => new Uint8Array(new Float64Array([value]).buffer);

/** A record of TFRecord around a message. */
function record(write: Write): Buffer {
  const writer = new BinaryWriter();
  write(writer);
  const data = Buffer.from(writer.finish());
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(data.length));
  return Buffer.concat([length, crcOf(length), data, crcOf(data)]);
}

function crcOf(bytes: Buffer): Buffer {
  const crc = Buffer.alloc(4);
  crc.writeUInt32LE(maskedCrc32c(bytes));
  return crc;
}

/** Writes event files into a folder, and returns that. */
function write(name: string, files: Readonly<Record<string, readonly Buffer[]>>): string {
  const folder = join(joblens.folder, name);
  for (const [path, records] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), Buffer.concat(records));
  }
  return folder;
}

const VERSION = record(all(double(1, BEGIN_MS / 1000), text(3, 'brain.Event:2')));
const jobsOf = (points: readonly Point[]): (string | undefined)[] =>
  pointsOf(points, 'job').map(({ tags }) => tags.get('job'));

describe('maskedCrc32c', () => {
  it('is the checksum that TFRecord has', () => {
    // The CRC-32C of 123456789 is e3069283.
    const turned = ((0xe3069283 >>> 15) | (0xe3069283 << 17)) >>> 0;
    expect(maskedCrc32c(Buffer.from('123456789'))).toBe((turned + 0xa282ead8) >>> 0);
  });
});

describe('joblens import tensorboard', () => {
  it('makes a row of the scalars of each step', async () => {
    const folder = write("it's (1)", {
      'events.out.tfevents.1.host': [
        VERSION,
        record(event(1, 10, 'loss/train', scalar(0.1))),
        record(event(1.5, 10, 'acc, "x"', tensor(0.25))),
        record(event(2, 20, 'loss/train', packed(1e-300))),
        record(event(2.5, 20, 'acc, "x"', scalar(NaN))),
        record(event(3, 20, 'loss/train', scalar(3))),
      ],
    });
    const { code, said, notes, points } = await importSource(joblens, 'tensorboard', folder);
    expect([code, notes]).toEqual([0, '']);
    expect(said).toMatch(/: job it's \(1\) of ann: 3 rows, \d+ points\n$/);
    expect(readMetadata(points)).toEqual([
      { step: 10, 'loss/train': 0.1, 'acc, "x"': 0.25 },
      { step: 20, 'loss/train': 1e-300, 'acc, "x"': 'NaN' },
      { step: 20, 'loss/train': 3 },
    ]);
    const times = pointsOf(points, 'job_metadata').map(({ timeNs }) => timeNs);
    expect(times).toEqual([atNs(1), atNs(2), atNs(3)]);
  });

  it('makes a job of each run, with its hparams and texts', async () => {
    const hparams = all(
      ...[entry('lr', double(2, 0.01)), entry('optimizer', text(3, 'a "b"')), entry('amp', integer(4, 1))]
    );
    const folder = write('logs', {
      'a/events.out.tfevents.1.host': [
        VERSION,
        record(event(1, 1, 'notes', words('line 1', 'line "2"'))),
        record(event(2, 1, 'loss', scalar(1))),
      ],
      // As add_hparams of PyTorch does.
      'a/1795785303.1532192/events.out.tfevents.1.host': [
        record(event(3, 0, '_hparams_/session_start_info', plugin('hparams', nest(3, hparams)))),
        record(event(3, 0, '_hparams_/session_end_info', plugin('hparams', nest(4, integer(1, 2))))),
      ],
      'b/x y/events.out.tfevents.1.host': [VERSION, record(event(2, 1, 'loss', scalar(2)))],
      'b/x y/events.out.tfevents.2.host': [VERSION, record(event(4, 2, 'loss', scalar(3)))],
      'b/other.txt': [Buffer.from('x')],
    });
    const { said, points } = await importSource(joblens, 'tensorboard', folder, ['--tag', 'a=b']);
    expect(said).toMatch(/: 2 jobs: 3 rows, 1 event, \d+ points\n$/);
    expect(jobsOf(points)).toEqual(['logs/a', 'logs/b/x y']);
    const [first, second] = pointsOf(points, 'job').map(({ fields }) => fields);
    expect(JSON.parse(String(first?.get('config')))).toEqual({ lr: 0.01, optimizer: 'a "b"', amp: true });
    expect([first?.get('state'), first?.get('tags'), second?.get('tags')]).toEqual([
      'FAILED',
      '{"a":"b"}',
      '{"a":"b"}',
    ]);
    const [note] = pointsOf(points, 'job_event').filter(({ tags }) => tags.get('topic') === 'text');
    expect(JSON.parse(String(note?.fields.get('data')))).toEqual({ tag: 'notes', step: 1, text: 'line 1\nline "2"' });
  });

  it('leaves out what is damaged, cut off or no number, and says so', async () => {
    const damaged = record(event(2, 2, 'loss', scalar(2)));
    damaged[20] = (damaged[20] ?? 0) ^ 0xff;
    const folder = write('damaged', {
      'events.out.tfevents.1': [
        ...[record(event(1, 1, 'loss', scalar(1))), damaged, record(event(3, 3, 'loss', scalar(3)))],
        record(event(3, 3, 'h', nest(5, double(1, 1)))),
        record(event(4, 4, 'loss', scalar(4))).subarray(0, 30),
      ],
      'events.out.tfevents.2': [record(event(5, 5, 'loss', scalar(5))), Buffer.alloc(100, 7)],
    });
    const { code, said, points } = await importSource(joblens, 'tensorboard', folder);
    expect(code).toBe(0);
    const where = 'the first at events.out.tfevents';
    expect(said.split('; left out: ')[1]?.trimEnd().split('; ').sort()).toEqual([
      `ends that are cut off: 1, ${where}.1`,
      `files that are damaged from some record on: 1, ${where}.2`,
      `histograms: 1, ${where}.1`,
      `records that are damaged: 1, ${where}.1`,
    ]);
    expect(readMetadata(points).map(({ step }) => step)).toEqual([1, 3, 5]);
  });

  it('says in one line that there are no event files', async () => {
    const { code, notes } = await importSource(joblens, 'tensorboard', write('none', { 'x.txt': [] }));
    expect([code, notes]).toEqual([
      1,
      expect.stringMatching(/cannot read \/none: there is no file named \*tfevents\*/),
    ]);
  });
});
