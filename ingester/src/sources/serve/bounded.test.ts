import { createSocket } from 'node:dgram';
import { connect } from 'node:net';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSystemClock } from '../../clock/clock.js';
import { Counters } from '../../delivery/counters.js';
import { MemoryQueue } from '../../queue/memory-queue.js';
import { until } from '../../testing/joblens.js';
import { noteCollections } from '../../../../test/large-collections.js';
import { SourceFaults } from '../guard/source-faults.js';
import { startHttpReceiver } from './http-receiver.js';
import { InvalidLines } from './invalid-lines.js';
import { PointIntake } from './point-intake.js';
import { startTcpReceiver } from './tcp-receiver.js';
import { startUdpReceiver } from './udp-receiver.js';

const ANY_PORT = { host: '127.0.0.1', port: 0 };
const MANY = 300;
/** What may stay of senders and lines that are over. */
const FEW = 60;

it('keeps nothing of senders, requests and refused lines that are over', async () => {
  const noted = noteCollections();
  const folder = mkdtempSync(join(tmpdir(), "joblens serve's (1) "));
  const report = { error: () => undefined, warn: () => undefined, info: () => undefined, debug: () => undefined };
  const counters = new Counters();
  const queue = new MemoryQueue(2 ** 20);
  let lines = 0;
  const append = queue.append.bind(queue);
  queue.append = (record) => {
    lines += record.points;
    return append(record);
  };
  const invalidLines = new InvalidLines(join(folder, 'rejected'), counters, report);
  const faults = new SourceFaults(counters, report);
  const clock = createSystemClock();
  const intake = new PointIntake({ delivery: { queue, counters }, clock, invalidLines, faults, keepsTypes: false });
  const options = { intake, clock, report };
  const rules = { bucket: undefined, databases: [], token: undefined, allowedHosts: [], isLocal: true };
  const started = [
    await startHttpReceiver(ANY_PORT, { ...options, rules }),
    await startTcpReceiver(ANY_PORT, options),
    await startUdpReceiver(ANY_PORT, { ...options, counters }),
  ].map((each) => {
    if (!each.ok) throw new Error(each.error);
    return each.value;
  });
  const [url = '', ...others] = started.map(({ name }) => name);
  const [tcpPort = 0, udpPort = 0] = others.map((name) => Number(new URL(name).port));
  for (let i = 0; i < MANY; i += 1) {
    // Measurements are remembered up to a bound of their own (name-cache.ts).
    const text = `m,job=a\\ b'(${i}) f=${i}\nno "point" (${i})\n`;
    const db = encodeURIComponent(`a "b" (${i})`);
    const answer = await fetch(`${url}/write?db=${db}`, { method: 'POST', body: text });
    await answer.text();
    const socket = connect(tcpPort, '127.0.0.1');
    await new Promise((resolve) => socket.end(text, () => socket.once('close', resolve).resume()));
    const sender = createSocket('udp4');
    await new Promise((resolve) => sender.send(text, udpPort, '127.0.0.1', resolve));
    sender.close();
    // A datagram for which there is no room would be lost.
    await until(() => lines === 3 * (i + 1));
  }
  expect(await noted.listLarge(FEW)).toEqual([]);
  noted.end();
  for (const receiver of started) await receiver.close();
  await invalidLines.close();
  rmSync(folder, { recursive: true, force: true });
});
