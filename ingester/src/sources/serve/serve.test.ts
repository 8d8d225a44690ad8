import { existsSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { prepareJoblens, until } from '../../testing/joblens.js';
import { type StartedServe, startServe } from './testing/started-serve.js';

const joblens = prepareJoblens();
afterAll(() => joblens.remove());

let count = 0;
const newPath = (): string => join(joblens.folder, `file-${(count += 1)}.lp`);
const readLines = (path: string): string[] =>
  existsSync(path) ? readFileSync(path, 'utf8').trimEnd().split('\n').filter(Boolean) : [];

async function withServe(
  args: readonly string[],
  task: (serve: StartedServe, out: string, rejected: string) => Promise<void>,
  environment: Record<string, string> = {}
): Promise<string> {
  const [out, rejected] = [newPath(), newPath()];
  const serve = await startServe(joblens, ['--out', out, '--rejected', rejected, ...args], environment);
  try {
    await task(serve, out, rejected);
  } finally {
    expect(await serve.stop()).toBe(0);
  }
  return serve.process.stderr().toString();
}

describe('joblens serve', () => {
  it('takes points by each way, and says in one line where and where to', async () => {
    let path = '';
    const said = await withServe([], async (serve, out) => {
      path = out;
      for (const [address, body] of [
        ['/write', 'm,way=v1 f=1i 1'],
        ['/write?db=any&precision=s', 'm,way=v1 f=1 2\n'],
        ['/api/v2/write?bucket=any&precision=ms', 'm,way=v2 f=1 3'],
      ] as const) {
        const answer = await serve.post(address, body);
        expect([answer.status, await answer.text()]).toEqual([204, '']);
      }
      await serve.sendDatagrams('m,way=udp f=true 1', 'm,way=udp f=2 2\nm,way=udp f=3 3\n');
      await serve.sendStream('m,way=tcp f="a\nb" 1\nm,way=t', 'cp f=2 2\n');
      await until(() => readLines(out).length === 9);
    });
    expect(readLines(path).sort()).toEqual([
      'b" 1',
      'm,way=tcp f="a',
      'm,way=tcp f=2 2',
      'm,way=udp f="true" 1',
      'm,way=udp f=2 2',
      'm,way=udp f=3 3',
      'm,way=v1 f=1 1',
      'm,way=v1 f=1 2000000000',
      'm,way=v2 f=1 3000000',
    ]);
    expect(said).toMatch(
      /^joblens: receiving line protocol on http:\/\/127\.0\.0\.1:\d+, udp:\/\/127\.0\.0\.1:\d+, tcp:\/\/127\.0\.0\.1:\d+, writing to \S+\n$/
    );
  });

  it.each<[string, string, string | Uint8Array, Record<string, string>, number, object]>([
    ['a line that is no point', '/write', 'bad', {}, 400, { error: "unable to parse 'bad': missing fields" }],
    [
      'one among others',
      '/write',
      'm f=1 1\nbad\nm f=2 2',
      {},
      400,
      { error: "partial write: unable to parse 'bad': missing fields dropped=0" },
    ],
    [
      'one of version 2',
      '/api/v2/write',
      'm f=nan',
      {},
      400,
      { code: 'invalid', message: "unable to parse 'm f=nan': invalid number" },
    ],
    [
      'a body that is not packed as it says',
      '/write',
      'm f=1',
      { 'content-encoding': 'gzip' },
      400,
      { error: 'cannot read the gzip body: incorrect header check' },
    ],
    [
      'a packed body that is cut',
      '/api/v2/write',
      gzipSync('m f=1 1\n').subarray(0, -10),
      { 'content-encoding': 'gzip' },
      400,
      { code: 'invalid', message: 'cannot read the gzip body: unexpected end of file' },
    ],
    [
      'another packing',
      '/write',
      'm f=1',
      { 'content-encoding': 'br' },
      415,
      { error: 'the body is encoded as br: send it plain, or as gzip' },
    ],
    [
      'a query',
      '/query?q=x',
      '',
      {},
      404,
      { error: 'joblens accepts points here: POST /write or /api/v2/write; send queries to InfluxDB' },
    ],
  ])('answers %s as InfluxDB would', async (_name, path, body, headers, status, json) => {
    await withServe([], async (serve) => {
      const answer = await serve.post(path, body, headers);
      expect([answer.status, await answer.json()]).toEqual([status, json]);
      // The connection and the server keep working.
      expect((await serve.post('/write', 'm f=1 1')).status).toBe(204);
    });
  });

  it.each(['//', '//[', '//a:b/write', 'http://', 'http://[::1/write'])(
    'answers the target %s, which is no path',
    async (target) => {
      const said = await withServe([], async (serve) => {
        const socket = connect(Number(new URL(serve.httpUrl).port), '127.0.0.1');
        socket.write(`POST ${target} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 8\r\n\r\nm f=1 1\n`);
        const answer = await new Promise<Buffer>((resolve) => socket.once('data', resolve));
        expect(answer.toString()).toMatch(/^HTTP\/1\.1 400 /);
        socket.destroy();
        expect((await serve.post('/write', 'm f=1 1')).status).toBe(204);
      });
      expect(said).not.toContain('fault');
    }
  );

  it('answers /ping and /health as clients want', async () => {
    await withServe([], async ({ httpUrl }) => {
      const ping = await fetch(`${httpUrl}/ping`, { method: 'HEAD' });
      expect([ping.status, ping.headers.get('x-influxdb-version')]).toEqual([204, '1.8-joblens']);
      expect(await (await fetch(`${httpUrl}/health`)).json()).toMatchObject({ name: 'influxdb', status: 'pass' });
    });
  });

  it('asks for a token where there is one', async () => {
    await withServe(
      [],
      async (serve, out) => {
        const refused = await serve.post('/write', 'm f=1 1', { authorization: 'Token other' });
        expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Basic realm="InfluxDB"']);
        expect((await serve.post('/api/v2/write', 'm f=2 2')).status).toBe(401);
        expect((await serve.post('/write', 'm f=3 3', { authorization: 'Token secret' })).status).toBe(204);
        await until(() => readLines(out).length > 0);
        expect(readLines(out)).toEqual(['m f=3 3']);
      },
      { JOBLENS_SERVE_TOKEN: 'secret' }
    );
  });

  it('takes nothing from a page of another origin, or by a name that is not its own', async () => {
    const statuses = (serve: StartedServe, host: string, origin?: string): Promise<number> =>
      new Promise((resolve, reject) => {
        const headers = { host, ...(origin === undefined ? {} : { origin }) };
        const sending = request(`${serve.httpUrl}/write`, { method: 'POST', headers }, (answer) => {
          answer.resume();
          resolve(answer.statusCode ?? 0);
        });
        sending.on('error', reject).end('m f=1 1');
      });
    await withServe(['--allow-host', 'joblens.example', '--allow-host', 'other.example'], async (serve) => {
      expect(await statuses(serve, 'evil.example')).toBe(421);
      expect(await statuses(serve, 'other.example:80')).toBe(204);
      expect(await statuses(serve, 'localhost', 'http://evil.example')).toBe(403);
    });
    await withServe(['--http', '0.0.0.0:0'], async (serve) => {
      expect(await statuses(serve, 'node1:8186')).toBe(204);
      expect(await statuses(serve, 'evil.example', 'http://evil.example')).toBe(421);
    });
  });

  it('says once of each kind why requests are refused', async () => {
    const said = await withServe(
      [],
      async (serve) => {
        for (const path of ['/write', '/write', '/api/v2/write']) await serve.post(path, 'm f=1');
      },
      { JOBLENS_SERVE_TOKEN: 'secret' }
    );
    expect(said.split('\n').slice(1)).toEqual([
      expect.stringMatching(
        /^joblens: a request from 127\.0\.0\.1:\d+ was refused, and so are further ones like it: the token is missing or wrong$/
      ),
      '',
    ]);
  });

  /** Two processes read the clock; each fine clock may lag this far behind it (clock.ts). */
  const MAX_DRIFT_MS = 50;

  it('gives each point without a time one of its own', async () => {
    await withServe([], async (serve, out) => {
      const beforeMs = Date.now();
      await serve.post('/write?precision=s', 'm f=1\nm f=2\n'.repeat(500));
      await serve.sendDatagrams(...Array.from({ length: 100 }, () => 'm f=3'));
      await until(() => readLines(out).length === 1100);
      const times = readLines(out).map((line) => BigInt(line.split(' ')[2] ?? 0));
      expect(new Set(times).size).toBe(1100);
      expect(times.every((time) => time >= BigInt(beforeMs - MAX_DRIFT_MS) * 1_000_000n)).toBe(true);
    });
  });

  it('stores integers and booleans as such when told so', async () => {
    await withServe(['--keep-types'], async (serve, out) => {
      await serve.post('/write', 'm f=1i,g=true 1');
      await until(() => readLines(out).length > 0);
      expect(readLines(out)).toEqual(['m f=1i,g=true 1']);
    });
  });

  it('keeps what is no point aside, with the reason and the sender, and says so', async () => {
    let path = '';
    const said = await withServe([], async (serve, out, rejected) => {
      path = rejected;
      await serve.post('/write', 'bad http\nm f=1 1');
      await serve.sendDatagrams('bad udp');
      await serve.sendStream('m f="open 1\nm f=2 2\nm f=3 cut');
      await until(() => readLines(rejected).length === 8);
      await until(() => readLines(out).length === 2);
      expect(readLines(out).sort()).toEqual(['m f=1 1', 'm f=2 2']);
    });
    const lines = readLines(path);
    expect(lines.filter((line) => !line.startsWith('#')).sort()).toEqual([
      'bad http',
      'bad udp',
      'm f="open 1',
      'm f=3 cut',
    ]);
    for (const line of lines.filter((text) => text.startsWith('#')))
      expect(line).toMatch(/ \(from 127\.0\.0\.1:\d+\)$/);
    expect(said.split('\n').slice(1)).toEqual([
      expect.stringMatching(
        /^joblens: a received line is not a valid point: .* \(from 127\.0\.0\.1:\d+\); it and any further ones are kept in /
      ),
      expect.stringMatching(/^joblens: 4 lines were not valid points; see /),
      '',
    ]);
  });

  const longString = `p s="${'z'.repeat(100_000)}",b=oops 5`;
  const longKey = `p,t=${'k'.repeat(70_000)} f=1 5`;
  it.each([
    ['a long string', longString, 'invalid boolean'],
    ['a long series key', longKey, 'max key length exceeded'],
    ['a line that is kept whole', 'p s="z",b=oops 5', 'invalid boolean'],
  ])('refuses a bad line of any length by each way, and keeps it with the reason: %s', async (_name, bad, reason) => {
    await withServe([], async (serve, out, rejected) => {
      const answer = await serve.post('/write', `m f=1 1\n${bad}\nm f=2 2`);
      expect(answer.status).toBe(400);
      const { error } = (await answer.json()) as { error: string };
      expect(error.startsWith(`partial write: unable to parse '${bad.slice(0, 8000)}`)).toBe(true);
      expect(error).toContain(reason);
      await serve.sendStream(`${bad}\nm f=3 3\n`);
      // No datagram is longer.
      if (bad.length < 65_000) await serve.sendDatagrams(bad);
      const ways = bad.length < 65_000 ? 3 : 2;
      await until(() => readLines(rejected).length === 2 * ways && readLines(out).length === 3);
      const kept = readLines(rejected);
      for (let i = 0; i < kept.length; i += 2) {
        expect(kept[i]).toContain(`# ${reason}`);
        const beginning = `(kept: the first 8192 of the ${bad.length} bytes that came)`;
        if (bad.length > 8192)
          expect([kept[i]?.slice(-beginning.length), kept[i + 1]]).toEqual([beginning, `# ${bad.slice(0, 8192)}`]);
        else expect(kept[i + 1]).toBe(bad);
      }
    });
  });

  it('refuses a bad datagram of the greatest length', async () => {
    await withServe([], async (serve, _out, rejected) => {
      await serve.sendDatagrams(`p s="${'z'.repeat(65_000)}",b=oops 5`);
      await until(() => readLines(rejected).length === 2);
      expect(readLines(rejected)[0]).toContain('(kept: the first 8192 of the 65015 bytes that came)');
    });
  });

  it('names the first of many bad lines, and counts the others', async () => {
    await withServe([], async (serve) => {
      const answer = await serve.post('/write', Array.from({ length: 500 }, (_, i) => `bad${i}`).join('\n'));
      const { error } = (await answer.json()) as { error: string };
      expect([answer.status, error.split('\n').length]).toEqual([400, 11]);
      expect(error).toMatch(
        /^unable to parse 'bad0': missing fields\n[^]*\nand 490 more lines that are not valid points$/
      );
    });
  });

  it('takes a large packed body, and a body that comes in the smallest pieces', async () => {
    await withServe([], async (serve, out) => {
      const text = Array.from({ length: 200_000 }, (_, i) => `m,n=${i % 7} f=${i} ${i + 1}\n`).join('');
      const packed = { 'content-encoding': 'gzip' };
      expect((await serve.post('/write', gzipSync(text), packed)).status).toBe(204);
      await until(() => readLines(out).length === 200_000);
      expect(readFileSync(out, 'utf8')).toBe(text);
      const { port } = new URL(serve.httpUrl);
      const socket = connect(Number(port), '127.0.0.1');
      const body = 'small f=1 1\nsmall f=2 2';
      socket.write(`POST /write HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${body.length}\r\n\r\n`);
      for (const char of body) {
        socket.write(char);
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
      const answer = await new Promise<Buffer>((resolve) => socket.once('data', resolve));
      expect(answer.toString()).toMatch(/^HTTP\/1\.1 204 /);
      socket.destroy();
      await until(() => readLines(out).length === 200_002);
      expect(readLines(out).slice(-2)).toEqual(['small f=1 1', 'small f=2 2']);
    });
  });

  it('outlives clients that go away in the middle', async () => {
    await withServe([], async (serve, out) => {
      const { port } = new URL(serve.httpUrl);
      for (const [to, text, stored] of [
        [Number(port), 'POST /write HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\nm f=1 1\nm f=2', 1],
        [Number(port), 'no HTTP at all\r\n\r\n', 1],
        [serve.tcpPort, 'm f=3 3\nm f=4', 2],
      ] as const) {
        const socket = connect(to, '127.0.0.1');
        socket.on('error', () => undefined);
        socket.write(text);
        // What nobody has read yet is lost with the connection.
        await until(() => readLines(out).length === stored);
        socket.resetAndDestroy();
      }
      expect((await serve.post('/write', 'm f=5 5')).status).toBe(204);
      await until(() => readLines(out).length === 3);
      expect(readLines(out).sort()).toEqual(['m f=1 1', 'm f=3 3', 'm f=5 5']);
    });
  });

  it('closes connections that are too many, and says so', async () => {
    const said = await withServe([], async (serve, out) => {
      const sockets = Array.from({ length: 520 }, () => connect(serve.tcpPort, '127.0.0.1'));
      let closed = 0;
      for (const socket of sockets) socket.on('error', () => undefined).on('close', () => (closed += 1));
      await until(() => closed === 20);
      for (const socket of sockets) socket.end('m f=1 1\n');
      await until(() => readLines(out).length === 500);
    });
    expect(said).toContain(
      '500 TCP connections are open: each further one takes the place of an idle one, or is closed'
    );
  });

  it('queues at the end what has come', async () => {
    let path = '';
    await withServe([], async (serve, out) => {
      path = out;
      const socket = connect(serve.tcpPort, '127.0.0.1');
      await new Promise<void>((resolve) => socket.once('connect', resolve));
      const lines = Array.from({ length: 20_000 }, (_, i) => `tcp f=${i} ${i + 1}\n`).join('');
      await new Promise((resolve) => socket.write(lines, resolve));
      await serve.sendDatagrams('udp f=1 1');
      socket.on('error', () => undefined);
    });
    expect(readLines(path)).toHaveLength(20_001);
  });

  it.each(['http', 'udp', 'tcp'])('says which address cannot be used: --%s', async (way) => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const taken = way === 'udp' ? '203.0.113.1:9' : `127.0.0.1:${port}`;
    const reason = way === 'udp' ? 'this machine has no such address' : 'another process answers there';
    const others = ['--http', '0', '--udp', '0', '--tcp', '0'];
    const ended = await joblens.run(['serve', '--out', newPath(), ...others, `--${way}`, taken]);
    server.close();
    expect(ended).toMatchObject({
      code: 1,
      stderr: `joblens: cannot listen on ${way}://${taken}: ${reason}; give another --${way} HOST:PORT, or off\n`,
    });
  });

  it('says that there is nothing to receive, or nowhere to write', async () => {
    const off = await joblens.run(['serve', '--out', '-', '--http', 'off', '--udp', 'off', '--tcp', 'off']);
    expect(off).toMatchObject({
      code: 2,
      stderr: 'joblens: nothing to receive: leave one of --http, --udp and --tcp on\n',
    });
    const noToken = await joblens.run(['serve', '--out', '-'], '', { JOBLENS_SERVE_TOKEN: ' ' });
    expect(noToken).toMatchObject({
      code: 2,
      stderr:
        'joblens: JOBLENS_SERVE_TOKEN must be a token of printable ASCII characters, or unset to ask for no token; got an empty one\n',
    });
    const nowhere = await joblens.run(['serve']);
    expect(nowhere.code).toBe(1);
    expect(nowhere.stderr).toMatch(/^joblens: nothing is received: nothing says where to write; set INFLUX_HOST/);
  });

  it('does not begin where points could not be kept safe', async () => {
    const file = newPath();
    await joblens.run(['pipe', '--mode', 'enabled', '--out', file], 'x\n');
    const ended = await joblens.run(['serve', '--url', 'http://127.0.0.1:1', '--spool', file]);
    expect(ended.code).toBe(1);
    expect(ended.stderr).toMatch(
      /^joblens: nothing is received: the spool folder .* is not a folder: choose another one/
    );
  });
});
