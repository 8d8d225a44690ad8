// Runs alone: it measures how long writers wait, and how much CPU time answers cost.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { prepareJoblens, until } from '../../testing/joblens.js';
import { formatHead, type OpenClient, serveClients } from './testing/open-clients.js';

const joblens = prepareJoblens();
afterAll(() => joblens.remove());

/** A writer that nobody holds up is answered sooner, also on a machine with much to do. */
const PROMPT_MS = 3000;
const TOKEN = { JOBLENS_SERVE_TOKEN: 'secret' };

let count = 0;
const newPath = (): string => join(joblens.folder, `file-${(count += 1)}.lp`);

/** Serves into new files. */
function withServe(
  task: Parameters<typeof serveClients>[2],
  { args = [] as readonly string[], environment = {} } = {}
): Promise<string> {
  return serveClients(joblens, ['--out', newPath(), '--rejected', newPath(), ...args], task, environment);
}

const line = 'm f=1 1';
const write = (body = line): string => `${formatHead(`Content-Length: ${body.length}`, 'Connection: close')}${body}`;

/** Writes over a connection of its own; returns the status and how long it took. */
async function tryWrite(open: OpenClient): Promise<{ status: string; tookMs: number }> {
  const { received, closedMs } = open(write());
  await until(() => closedMs() !== undefined);
  return { status: received().slice(9, 12), tookMs: closedMs() ?? NaN };
}

async function expectPrompt(open: OpenClient): Promise<void> {
  const { status, tookMs } = await tryWrite(open);
  expect(status).toBe('204');
  expect(tookMs).toBeLessThan(PROMPT_MS);
}

/** CPU time of a process so far (proc(5), utime and stime in 1/100 s). */
function readCpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

describe('joblens serve is not held up', () => {
  it.each<[string, string, string[]]>([
    ['plain', '', []],
    ['packed', gzipSync(`${line}\n`.repeat(1000)).toString('latin1').slice(0, 20), ['Content-Encoding: gzip']],
  ])('by bodies that do not come: %s', async (_name, beginning, headers) => {
    await withServe(async (_serve, open) => {
      const stalled = Array.from({ length: 100 }, () => open(formatHead('Content-Length: 1000', ...headers)));
      for (const { socket } of stalled) socket.write(beginning, 'latin1');
      await new Promise((resolve) => setTimeout(resolve, 300));
      for (let i = 0; i < 5; i += 1) await expectPrompt(open);
      expect(stalled.some(({ closedMs }) => closedMs() !== undefined)).toBe(false);
    });
  });

  it.each([
    ['idle connections', ''],
    ['heads that do not end', 'POST /write HTTP/1.1\r\nHost: '],
    ['bodies that do not come', formatHead('Content-Length: 1000')],
  ])('by more connections than it takes: %s', async (_name, text) => {
    const said = await withServe(async (_serve, open) => {
      const holding = Array.from({ length: 510 }, () => open(text));
      await until(() => holding.filter(({ closedMs }) => closedMs() !== undefined).length >= 10);
      await new Promise((resolve) => setTimeout(resolve, 1500));
      for (let i = 0; i < 20; i += 1) await expectPrompt(open);
      expect(holding.filter(({ closedMs }) => closedMs() === undefined).length).toBeGreaterThan(400);
    });
    expect(said.match(/500 HTTP connections are open/g)).toHaveLength(1);
  });

  it('by idle connections of TCP', async () => {
    await withServe(async ({ tcpPort }, open) => {
      for (let i = 0; i < 510; i += 1) open('', tcpPort);
      await new Promise((resolve) => setTimeout(resolve, 1500));
      for (let i = 0; i < 20; i += 1) {
        await new Promise<void>((resolve) => open('', tcpPort).socket.end(`t f=${i} 1\n`, () => resolve()));
      }
      await until(() => lines(joblens.folder).filter((text) => text.startsWith('t f=')).length === 20);
    });
  });

  it('by a small packed body of very many lines that are no points', async () => {
    const rejected = newPath();
    await withServe(
      async (serve, open) => {
        const before = readCpuMs(serve.process.pid);
        const bomb = gzipSync('x\n'.repeat(32_000_000));
        expect(bomb.length).toBeLessThan(66_000);
        const [answer] = await Promise.all([
          serve.post('/write', bomb, { 'content-encoding': 'gzip' }),
          expectPrompt(open),
        ]);
        expect(answer.status).toBe(400);
        expect(await answer.text()).toMatch(
          /unable to parse 'x': .*and \d+ more lines that are not valid points\\nso many that the rest of the body/
        );
        expect(readCpuMs(serve.process.pid) - before).toBeLessThan(4000);
        await until(() => existsSync(rejected));
        expect(statSync(rejected).size).toBeLessThan(4 << 20);
      },
      { args: ['--rejected', rejected] }
    );
  });

  it('by a small packed body of very many points', async () => {
    await withServe(async (serve) => {
      const before = readCpuMs(serve.process.pid);
      const bomb = gzipSync('m\\ f a=1\n'.repeat(7_000_000));
      const answer = await serve.post('/api/v2/write', bomb, { 'content-encoding': 'gzip' });
      expect([answer.status, await answer.json()]).toEqual([
        413,
        {
          code: 'request too large',
          message: 'unpacked, the body is too large: only its beginning was taken; send it in smaller ones, or plain',
        },
      ]);
      expect(readCpuMs(serve.process.pid) - before).toBeLessThan(10_000);
      expect((await serve.post('/write', line)).status).toBe(204);
    });
  });

  it('by who has no token: nothing of the body is asked for, and little is read', async () => {
    await withServe(
      async (_serve, open) => {
        const asking = (token: string): string =>
          formatHead('Content-Length: 8', 'Expect: 100-continue', `Authorization: Token ${token}`);
        const [stranger, friend] = [open(asking('other')), open(asking('secret'))];
        await until(() => stranger.received() !== '' && friend.received() !== '');
        expect([stranger.received(), friend.received()].map((text) => text.slice(0, 12))).toEqual([
          'HTTP/1.1 401',
          'HTTP/1.1 100',
        ]);
        friend.socket.write(`${line}\n`);
        await until(() => friend.received().includes('HTTP/1.1 204'));

        const flood = open(formatHead('Content-Length: 1000000000'));
        const filler = Buffer.alloc(1 << 20, 'x');
        const flooding = setInterval(() => flood.socket.destroyed || flood.socket.write(filler), 10);
        await until(() => flood.closedMs() !== undefined);
        clearInterval(flooding);
        expect(flood.received()).toMatch(/^HTTP\/1\.1 401 /);
        expect(flood.closedMs()).toBeLessThan(PROMPT_MS);
      },
      { environment: TOKEN }
    );
  });

  const address = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
  (address === undefined ? it.skip : it)('by one other machine alone', async () => {
    const said = await withServe(
      async (serve, open) => {
        const port = Number(new URL(serve.httpUrl).port);
        const [local] = [open()];
        const others = Array.from({ length: 300 }, () => open('', port, address));
        await until(() => others.filter(({ closedMs }) => closedMs() !== undefined).length === 50);
        expect(local.closedMs()).toBeUndefined();
        await expectPrompt((text) => open(text, port, address));
      },
      { args: ['--http', '0.0.0.0:0'] }
    );
    expect(said).toContain(`250 HTTP connections of ${address} are open`);
  });
});

/** All that any serve of this file has written. */
function lines(folder: string): string[] {
  return Array.from({ length: count }, (_, i) => join(folder, `file-${i + 1}.lp`)).flatMap((path) =>
    existsSync(path) ? readFileSync(path, 'utf8').split('\n') : []
  );
}
