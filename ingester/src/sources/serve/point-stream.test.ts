import { HeldBytes, MAX_POINT_BYTES, PointStream } from './point-stream.js';
import { PointTranslator } from './point-translator.js';
import { TranslatedPoints } from './translated-points.js';

const translator = new PointTranslator({ precision: 'ns', keepsTypes: false, nextNs: () => 1n });

function createStream(held = new HeldBytes()) {
  const stream = new PointStream(translator, held);
  const into = new TranslatedPoints('');
  return {
    stream,
    into,
    push: (text: string): void => stream.push(Buffer.from(text), into),
    stored: (): string => into.writer.bytes.toString(),
    reasons: (): string[] => into.invalid.map(({ line, reason }) => `${reason}: ${line.toString().slice(0, 8)}`),
  };
}

const HALF = 'x'.repeat(MAX_POINT_BYTES / 2);

describe('PointStream', () => {
  it('takes points of up to a mebibyte', () => {
    const { push, stored, reasons } = createStream();
    push(`m f="${HALF}`);
    push(`" 1\nm f=2 2\n`);
    expect([stored(), reasons()]).toEqual([`m f="${HALF}" 1\nm f=2 2\n`, []]);
  });

  it('refuses a line without an end, and goes on behind it', () => {
    const { push, stored, reasons } = createStream();
    for (let i = 0; i < 5; i += 1) push(HALF);
    push('xx f=1 1\nm f=2 2\n');
    expect([stored(), reasons()]).toEqual(['m f=2 2\n', ['the point is too long: xxxxxxxx']]);
  });

  it('refuses only the line of a quote that nobody closes', () => {
    const { push, stored, reasons } = createStream();
    push('m f="open 1\n');
    const lines = Array.from({ length: 100_000 }, (_, i) => `m,n=${i} f=2 2\n`).join('');
    push(lines);
    push('m f=3 3\n');
    expect([stored(), reasons()]).toEqual([`${lines}m f=3 3\n`, ['the point is too long: m f="ope']]);
  });

  it('takes what stands behind an open quote when nothing more comes for a while', () => {
    const { stream, into, push, stored, reasons } = createStream();
    push('m f="open 1\nm f=2 2\nm f=3');
    expect(stored()).toBe('');
    stream.settle(into);
    expect([stored(), reasons()]).toEqual(['m f=2 2\n', ['unbalanced quotes: m f="ope']]);
    push('4 3\n');
    expect(stored()).toBe('m f=2 2\nm f=34 3\n');
  });

  it('waits on for a line that comes slowly', () => {
    const { stream, into, push, stored, reasons } = createStream();
    push('m f=1');
    stream.settle(into);
    push('2 3\n');
    expect([stored(), reasons()]).toEqual(['m f=12 3\n', []]);
  });

  it('refuses what is held, for a reason', () => {
    const { stream, into, push, stored, reasons } = createStream();
    push('m f=1 1\nm f=2');
    stream.refuse('cut', into);
    expect([stored(), reasons()]).toEqual(['m f=1 1\n', ['cut: m f=2']]);
  });

  it('holds so much of long points in all streams together, and again when they are through', () => {
    const held = new HeldBytes();
    const streams = Array.from({ length: 60 }, () => createStream(held));
    for (const { push } of streams) push(`m f="${HALF}`);
    for (const { push } of streams) push('" 1\nm f=2 2\n');
    // 8 MiB, of half a mebibyte each; the others have room for short points only.
    const points = streams.map(({ into }) => into.points);
    expect(points).toEqual([...Array.from({ length: 16 }, () => 2), ...Array.from({ length: 44 }, () => 1)]);
    const again = createStream(held);
    again.push(`m f="${HALF}`);
    again.stream.drop();
    for (let i = 0; i < 100; i += 1) again.push(`m f="${HALF}" 1\n`);
    expect(again.into.points).toBe(100);
    expect(held.change(0, 8 << 20)).toBe(true);
  });

  it('does not read a long point again for each of its pieces', () => {
    const { stream, into } = createStream();
    const started = performance.now();
    stream.push(Buffer.from('m f="'), into);
    for (let i = 0; i < 500_000; i += 1) stream.push(Buffer.from('x'), into);
    stream.push(Buffer.from('" 1\n'), into);
    expect(into.points).toBe(1);
    // Quadratic work would take minutes.
    expect(performance.now() - started).toBeLessThan(30_000);
  });
});
