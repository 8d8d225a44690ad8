import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { prepareJoblens, until } from '../../testing/joblens.js';
import { readLog, readMetadata, storePoints } from '../../testing/stored-points.js';

const joblens = prepareJoblens();
afterAll(() => joblens.remove());
const OPT_IN = join(joblens.folder, 'optin');
writeFileSync(OPT_IN, '');
const TO_STDOUT = ['pipe', '--job', '1', '--user', 'ann', '--optin', OPT_IN, '--out', '-'];

function lines(stdout: Buffer): string[] {
  return stdout.toString().trimEnd().split('\n');
}

const HEARTBEATS = ['10m', '2h', '1d'].map((grid): unknown =>
  expect.stringMatching(new RegExp(`^job_heartbeat,grid=${grid},user=ann job="1" \\d{19}$`))
);

describe('joblens pipe', () => {
  it('prints the points of one metadata line, and nothing else', async () => {
    const { code, stdout, stderr } = await joblens.run(TO_STDOUT, '{"epoch": 1, "loss": 0.5}\n');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const points = lines(stdout);
    const time = points[0]?.split(' ').at(-1) ?? '';
    expect(points).toEqual([
      `job_log,job=1,stream=stdout,user=ann line="{\\"epoch\\": 1, \\"loss\\": 0.5}",kind="output" ${time}`,
      `job_metadata,job=1,series=epoch\\,loss,user=ann epoch=1,loss=0.5 ${time}`,
      expect.stringMatching(
        new RegExp(
          `^job_series,job=1,series=epoch\\\\,loss,user=ann keys="\\[.*\\]",stats=".*",x="epoch",rows=1 ${time}$`
        )
      ),
      ...HEARTBEATS,
    ]);
  });

  it('describes the job when it knows more than job and user', async () => {
    const { stdout } = await joblens.run([...TO_STDOUT, '--name', 'x y', '--tag', 'a=b'], 'a\n');
    expect(lines(stdout)[0]).toMatch(/^job,job=1,user=ann name="x y",tags="\{\\"a\\":\\"b\\"\}" \d+$/);
  });

  it('logs the stream that it is told', async () => {
    const { stdout } = await joblens.run([...TO_STDOUT, '--stream', 'stderr'], '{"a": 1}\n');
    expect(lines(stdout)).toEqual([expect.stringMatching(/^job_log,job=1,stream=stderr,user=ann /), ...HEARTBEATS]);
  });

  it('reads to the end and prints nothing where nobody opted in', async () => {
    const input = 'x'.repeat(10 * 2 ** 20);
    expect(await joblens.run(['pipe'], input)).toEqual({ code: 0, stdout: Buffer.alloc(0), stderr: '' });
  });

  it('says when the opt-in file that was named is not there', async () => {
    const ended = await joblens.run(['pipe', '--optin', '/none', '--out', '-'], 'x\n');
    expect(ended).toEqual({
      code: 0,
      stdout: Buffer.alloc(0),
      stderr: 'joblens: nothing is logged: there is no /none\n',
    });
  });

  it('copies its input with --tee', async () => {
    const input = Buffer.from(Array.from({ length: 1000 }, (_, i) => i % 256));
    const out = join(joblens.folder, 'tee.lp');
    const { stdout } = await joblens.run(['pipe', '--tee', '--mode', 'enabled', '--out', out], input);
    expect(stdout.equals(input)).toBe(true);
  });

  it('reads on when nothing can be logged, and says so by its exit code', async () => {
    const { code, stderr } = await joblens.run(['pipe', '--mode', 'enabled', '--out', '/none/x'], 'x'.repeat(2 ** 20));
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^joblens: nothing is logged: cannot write to \/none\/x: no such file or directory \(ENOENT\); .*\n$/
    );
  });

  it('writes a line while it is printed and rewrites it in place', async () => {
    const child = joblens.start(TO_STDOUT);
    const log = (): string[] => readLog(storePoints(lines(child.stdout()).filter((line) => line !== '')));
    child.write('\r10%');
    await until(() => log().join() === '10%');
    child.write('\r20%');
    await until(() => log().join() === '20%');
    child.write('\r100%\nend\n');
    child.endInput();
    await child.ended;
    expect(log()).toEqual(['100%', 'end']);
  });

  it('reads what a writer still prints after Ctrl+C, and ends at SIGTERM', async () => {
    const child = joblens.start(TO_STDOUT);
    child.write('a\n');
    await until(() => child.stdout().length > 0);
    child.kill('SIGINT');
    child.write('b\n');
    await until(() => child.stdout().includes('line="b"'));
    child.kill('SIGTERM');
    expect(await child.ended).toEqual({ code: 143, signal: null });
  });

  it('slows its writer down to the limit and drops nothing', async () => {
    const startedMs = Date.now();
    const out = join(joblens.folder, 'limit.lp');
    const input = Array.from({ length: 20_000 }, (_, i) => `${i}\n`).join('');
    await joblens.run(['pipe', '--mode', 'enabled', '--limit-lines', '10000', '--out', out], input);
    expect(Date.now() - startedMs).toBeGreaterThan(900);
    expect(readLog(storePoints(readFileSync(out, 'utf8').trimEnd().split('\n')))).toHaveLength(20_000);
  });

  it('stores lines of very many bytes in parts and goes on', async () => {
    const { stdout } = await joblens.run(TO_STDOUT, `${'x'.repeat(3 * 2 ** 20)}\n{"a": 1}\n`);
    const points = storePoints(lines(stdout));
    const log = readLog(points);
    expect(log.slice(0, -1).join('')).toBe('x'.repeat(3 * 2 ** 20));
    expect(log.at(-1)).toBe('{"a": 1}');
    const parts = points.flatMap(({ measurement, fields }) =>
      measurement === 'job_log' ? [fields.get('part') ?? 0] : []
    );
    expect(parts).toEqual([...Array.from({ length: 48 }, (_, part) => part), 0]);
    expect(readMetadata(points)).toEqual([{ a: 1 }]);
  });
});
