// Sends a `joblens serve` very much, or things that are meant to harm it.
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate as turn } from 'node:timers/promises';
import { createGzip, gzipSync } from 'node:zlib';
import { telegrafPoint } from '../inputs.mjs';
import { startServe } from '../serve.mjs';

const MB = 2 ** 20;
const PIECE_BYTES = 64 * 1024;
const POINTS_A_REQUEST = 5000;
const LARGE_BODY_BYTES = 64 * MB;
const ONE_POINT = 'm,tag=a field=1.5 1\n';
const BODIES_AT_ONCE = 100;
const CONNECTIONS = 200;
const DATAGRAMS_A_TURN = 64;

/**
 * Resolves when it takes points. `finish` sends everything, says on stderr how the requests were answered, and ends it.
 */
export async function startServed({ kind, amount, args, folder }) {
  const serve = await startServe(args, folder);
  const finish = async () => {
    const answers = await FEEDS[kind](serve, amount);
    console.error(`  answers: ${formatCounts(answers)}`);
    serve.child.kill('SIGTERM');
  };
  return { child: serve.child, finish };
}

const FEEDS = {
  /** Half of it is packed, in requests of some points; half is plain, in large requests. Two connections each. */
  async HTTP({ httpUrl }, amount) {
    const points = createPoints(0, POINTS_A_REQUEST);
    const packed = gzipSync(points);
    const large = () => repeat([points], Math.min(LARGE_BODY_BYTES, amount / 4));
    const answers = await Promise.all([
      ...Array.from({ length: 2 }, () => postMany(httpUrl, amount / 4 / points.length, () => [packed], true)),
      ...Array.from({ length: 2 }, () => postMany(httpUrl, amount / 4 / LARGE_BODY_BYTES, large)),
    ]);
    return answers.flat();
  },

  /** The same in one body per connection. */
  async '100 HTTP bodies at once'({ httpUrl }, amount) {
    const points = createPoints(0, POINTS_A_REQUEST);
    const body = Buffer.concat([...repeat([points], amount / BODIES_AT_ONCE)]);
    const packed = gzipSync(body);
    return Promise.all(
      Array.from({ length: BODIES_AT_ONCE }, (_, i) =>
        post(httpUrl, [i % 2 ? packed : body], { isPacked: i % 2 === 1 })
      )
    );
  },

  /**
   * Half of them by TCP and half by HTTP, all at once: only names, a quote that stays open, and the same over many
   * lines.
   */
  async '400 endless lines'({ httpUrl, tcpPort }, amount) {
    const open = Buffer.from('endless value="');
    const rests = ['endless', 'endless without a quote,', `${'endless '.repeat(100)}\n`].map((text) =>
      Buffer.alloc(PIECE_BYTES, text)
    );
    const bytes = amount / CONNECTIONS / 2;
    const bodyOf = (i) => repeat([i % 3 === 0 ? rests[0] : open, rests[i % 3]], bytes);
    const numbers = Array.from({ length: CONNECTIONS }, (_, i) => i);
    const [answers] = await Promise.all([
      Promise.all(numbers.map((i) => post(httpUrl, bodyOf(i)))),
      Promise.all(numbers.map((i) => sendByTcp(tcpPort, bodyOf(i)))),
    ]);
    return answers;
  },

  'bomb of zeros': ({ httpUrl }, amount) => postPacked(httpUrl, Buffer.alloc(MB), amount),
  'bomb of one point': ({ httpUrl }, amount) => postPacked(httpUrl, Buffer.from(ONE_POINT.repeat(50_000)), amount),

  /** First fills the spool. Every third datagram is not a point. */
  async UDP({ httpUrl, udpPort }, amount) {
    const points = createPoints(0, POINTS_A_REQUEST);
    const answers = await postUntilFull(httpUrl, points);
    const datagram = createPoints(0, 12);
    await sendDatagrams(udpPort, [datagram, datagram, Buffer.alloc(datagram.length, 'this is no point\n')], amount);
    return answers;
  },
};

const createPoints = (first, count) =>
  Buffer.from(Array.from({ length: count }, (_, i) => telegrafPoint(first + i)).join(''));

/** The parts; the last of them repeats until the whole is `bytes` long. */
function* repeat(parts, bytes) {
  yield* parts;
  const last = parts.at(-1);
  for (let sent = last.length; sent < bytes; sent += last.length) yield last;
}

async function postMany(url, count, createBody, isPacked = false) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const answers = [];
  while (answers.length < count) answers.push(await post(url, createBody(), { agent, isPacked }));
  agent.destroy();
  return answers;
}

/** A larger body is refused. */
async function postUntilFull(url, body) {
  const answers = [];
  while (answers.at(-1) !== 503) answers.push(await post(url, [body]));
  return answers;
}

async function postPacked(url, piece, bytes) {
  const parts = [];
  await pipeline(Readable.from(repeat([piece], bytes)), createGzip({ level: 9 }), async (packed) => {
    for await (const part of packed) parts.push(part);
  });
  return [await post(url, parts, { isPacked: true })];
}

/** Resolves to the status of the answer, or to the error's code when the connection was cut. */
function post(url, parts, { agent, isPacked = false } = {}) {
  return new Promise((resolve) => {
    const headers = isPacked ? { 'content-encoding': 'gzip' } : {};
    const sent = request(`${url}/write`, { method: 'POST', agent, headers }, (answer) => {
      answer.resume().once('close', () => resolve(answer.statusCode));
    });
    sent.on('error', ({ code }) => resolve(code));
    // A server that refuses a body does not read the rest of it: the writing may fail after the answer, too.
    sent.once('socket', (socket) => {
      if (!sent.reusedSocket) socket.on('error', ({ code }) => resolve(code));
    });
    Readable.from(parts).pipe(sent);
  });
}

async function sendByTcp(port, parts) {
  const socket = connect(port, '127.0.0.1');
  await pipeline(Readable.from(parts), socket);
  socket.resume();
  if (!socket.closed) await once(socket, 'close');
}

async function sendDatagrams(port, datagrams, bytes) {
  const socket = createSocket('udp4').unref();
  for (let sent = 0; sent < bytes;) {
    const batch = Array.from({ length: DATAGRAMS_A_TURN }, (_, i) => datagrams[i % datagrams.length]);
    await Promise.all(
      batch.map((datagram) => new Promise((resolve) => socket.send(datagram, port, '127.0.0.1', resolve)))
    );
    sent += batch.reduce((sum, datagram) => sum + datagram.length, 0);
    await turn();
  }
  socket.close();
}

function formatCounts(answers) {
  const counts = new Map();
  for (const answer of answers) counts.set(answer, (counts.get(answer) ?? 0) + 1);
  return [...counts].map(([answer, count]) => `${count} times ${answer}`).join(', ');
}
