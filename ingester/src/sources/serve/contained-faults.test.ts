import { createSocket } from 'node:dgram';
import { connect, type Socket } from 'node:net';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSystemClock } from '../../clock/clock.js';
import { Counters } from '../../delivery/counters.js';
import { MemoryQueue } from '../../queue/memory-queue.js';
import { until } from '../../testing/joblens.js';
import { holdsText, poison } from '../../testing/poison.js';
import { SourceFaults } from '../guard/source-faults.js';
import { startHttpReceiver } from './http-receiver.js';
import { InvalidLines } from './invalid-lines.js';
import { PlainPoint } from './plain-point.js';
import { PointIntake } from './point-intake.js';
import { PointStream } from './point-stream.js';
import { PointTranslator } from './point-translator.js';
import type { Receiver } from './receiver.js';
import { startTcpReceiver } from './tcp-receiver.js';
import { startUdpReceiver } from './udp-receiver.js';

const PILL = 'pill';
const ANY_PORT = { host: '127.0.0.1', port: 0 };
const folder = mkdtempSync(join(tmpdir(), 'joblens-serve-faults-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const inArguments = (_self: unknown, values: readonly unknown[]): boolean => holdsText(values, PILL, 6);
/** A reader of one line is given all of them, and the place where it begins. */
const inLine = (_self: unknown, [bytes, start]: readonly unknown[]): boolean =>
  (bytes as Buffer).toString('latin1', start as number).startsWith(PILL);

type Stage = readonly [what: string, owner: object, method: string, isPill: typeof inArguments];
/** What costs one line, and what may cost all that came with it in one piece. */
const LINE_STAGES: readonly Stage[] = [['reading a plain line', PlainPoint.prototype, 'read', inLine]];
const PIECE_STAGES: readonly Stage[] = [
  ['taking a piece', PointStream.prototype, 'push', inArguments],
  ['translating', PointTranslator.prototype, 'translateAll', inArguments],
  ['translating a piece', PointTranslator.prototype, 'translateWhole', inArguments],
  ['queueing', MemoryQueue.prototype, 'append', inArguments],
  ['setting aside', InvalidLines.prototype, 'keep', inArguments],
];

interface Service {
  readonly counters: Counters;
  readonly said: string[];
  stored(): string;
  refused(): string;
  send(text: string): Promise<void>;
  close(): Promise<void>;
}

async function createService(way: 'http' | 'tcp' | 'udp'): Promise<Service> {
  const said: string[] = [];
  const say = (message: string): void => void said.push(message);
  const report = { error: say, warn: () => undefined, info: () => undefined, debug: () => undefined };
  const counters = new Counters();
  const queue = new MemoryQueue(2 ** 20);
  let text = '';
  const append = queue.append.bind(queue);
  queue.append = (record) => {
    const isTaken = append(record);
    if (isTaken) text += Buffer.from(record.bytes).toString();
    return isTaken;
  };
  const path = join(mkdtempSync(join(folder, 'w-')), 'rejected');
  const invalidLines = new InvalidLines(path, counters, report);
  const faults = new SourceFaults(counters, report);
  const clock = createSystemClock();
  const intake = new PointIntake({ delivery: { queue, counters }, clock, invalidLines, faults, keepsTypes: false });
  const options = { intake, clock, report };
  const started =
    way === 'http'
      ? await startHttpReceiver(ANY_PORT, {
          ...options,
          rules: { bucket: undefined, databases: [], token: undefined, allowedHosts: [], isLocal: true },
        })
      : way === 'tcp'
        ? await startTcpReceiver(ANY_PORT, options)
        : await startUdpReceiver(ANY_PORT, { ...options, counters });
  if (!started.ok) throw new Error(started.error);
  const sender = createSender(way, started.value);
  return {
    ...{
      counters,
      said,
      stored: () => text,
      refused: () => readFileSync(path, 'utf8'),
      send: (text) => sender.send(text),
    },
    async close() {
      sender.close();
      await started.value.close();
      await invalidLines.close();
    },
  };
}

/** Sends over one connection where the way has connections. */
function createSender(way: string, { name }: Receiver): { send(text: string): Promise<void>; close(): void } {
  const port = Number(new URL(name).port);
  const udp = way === 'udp' ? createSocket('udp4') : undefined;
  const tcp: Socket | undefined = way === 'tcp' ? connect(port, '127.0.0.1') : undefined;
  return {
    async send(text) {
      if (udp !== undefined) await new Promise((resolve) => udp.send(text, port, '127.0.0.1', resolve));
      else if (tcp !== undefined) await new Promise((resolve) => tcp.write(text, resolve));
      else await fetch(`${name}/write?db=x`, { method: 'POST', body: text }).catch(() => undefined);
    },
    close() {
      udp?.close();
      tcp?.end();
    },
  };
}

afterEach(() => jest.restoreAllMocks());

describe.each(['http', 'tcp', 'udp'] as const)('what came by %s', (way) => {
  it.each(LINE_STAGES.flatMap((stage) => [['before', ...stage] as const, ['after', ...stage] as const]))(
    'loses one line alone to a fault thrown %s %s',
    async (when, _what, owner, method, isPill) => {
      poison(owner, method, isPill, when);
      const service = await createService(way);
      await service.send('a f=1 1\nb f=2i 2\npill,t=é f=3 3\nc f="x" 4\npill f=5 5\nd f=6 6\n');
      await until(() => service.stored().includes('d f=6'));
      await service.send('e f=7 7\n');
      await until(() => service.stored().includes('e f=7'));
      expect(service.stored()).toBe('a f=1 1\nb f=2 2\nc f="x" 4\nd f=6 6\ne f=7 7\n');
      expect(service.counters.faults).toBe(2);
      expect(service.said).toEqual([expect.stringContaining('a received line')]);
      expect(service.said.join()).not.toContain('secret');
      await service.close();
      expect(service.refused().match(/a fault of joblens/g)).toHaveLength(2);
    }
  );

  it.each(PIECE_STAGES.flatMap((stage) => [['before', ...stage] as const, ['after', ...stage] as const]))(
    'loses at most what came in one piece to a fault thrown %s %s',
    async (when, _what, owner, method, isPill) => {
      poison(owner, method, isPill, when);
      const service = await createService(way);
      await service.send('a f=1 1\n');
      await until(() => service.stored().includes('a f=1'));
      await service.send('pill f=3 3\npill is no point\n');
      await until(() => service.counters.faults > 0 || service.counters.invalidLines > 0);
      for (const name of ['b', 'c']) {
        await service.send(`${name} f=2 2\n`);
        await until(() => service.stored().includes(`${name} f=2`));
      }
      await service.close();
      const others = service.stored().replace(/^pill.*\n/gm, '');
      expect(others).toBe('a f=1 1\nb f=2 2\nc f=2 2\n');
      expect(service.said.length).toBeLessThanOrEqual(1);
      expect(service.counters.faults > 0).toBe(service.said.length > 0);
    }
  );
});
