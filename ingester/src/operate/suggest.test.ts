import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseOptIn } from '../rules/options/opt-in.js';
import { suggestFrom } from './suggest.js';

const folder = mkdtempSync(join(tmpdir(), 'joblens-suggest-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function run(text: string, isJson = false): Promise<{ code: number; printed: string; faults: string[] }> {
  const path = join(folder, 'job.out');
  writeFileSync(path, text);
  let printed = '';
  const faults: string[] = [];
  const host = { environment: {}, writeStdout: (out: string) => (printed += out) } as never;
  const code = await suggestFrom(host, { path, isJson, onFault: (message) => faults.push(message) });
  return { code, printed, faults };
}

const OWN = Array.from({ length: 9 }, (_, i) => `pass took: ${i + 0.25} s; gap=${(1 / (i + 1)).toExponential(3)}\n`);

describe('joblens suggest', () => {
  it('prints patterns, and an opt-in file that is valid and takes them', async () => {
    const { code, printed } = await run(`hello\n${OWN.join('')}bye\n`);
    expect(code).toBe(0);
    expect(printed).toMatch(/^1\. 9 rows: pass, gap\n {3}for example: pass took: 0.25 s; gap=1.000e\+0\n/);
    const optIn = await parseOptIn(printed.slice(printed.indexOf('metadata:')));
    const metadata = ['json', { regex: expect.any(String) as unknown }];
    expect(optIn).toMatchObject({ ok: true, value: { config: { metadata } } });
  });

  it('names the preset of a known program, seen as on a console', async () => {
    const epochs = [1, 2, 3].map(
      (n) => `Epoch ${n}/3\n\r1/2 [>..] - loss: 9\r2/2 [====] - 1s 5ms/step - loss: 0.${n}\n`
    );
    const { printed } = await run(epochs.join(''));
    expect(printed).toMatch(/^1\. 3 rows: epoch, loss\n/);
    expect(printed).toContain('  - preset: keras\n');
  });

  it('prints JSON with the rows', async () => {
    const { printed } = await run(OWN.join(''), true);
    const [first] = JSON.parse(printed) as { count: number; rows: unknown[] }[];
    expect(first).toMatchObject({ count: 9 });
    expect(first?.rows[1]).toEqual({ pass: 1.25, gap: 0.5 });
  });

  it('says that JSON is drawn already', async () => {
    expect((await run('{"loss": 1}\n{"loss": 2}\n{"loss": 3}\n')).printed).toContain(
      'These lines are metadata already.'
    );
  });

  it('reads a named pipe to its end', async () => {
    const path = join(folder, 'pipe');
    execFileSync('mkfifo', [path]);
    const writing = writeFile(path, OWN.join(''));
    let printed = '';
    const host = { environment: {}, writeStdout: (out: string) => (printed += out) } as never;
    expect(await suggestFrom(host, { path, isJson: false, onFault: () => undefined })).toBe(0);
    await writing;
    expect(printed).toMatch(/^1\. 9 rows: pass, gap\n/);
  });

  it('fails where nothing repeats, and where there is no file', async () => {
    expect(await run('hello\nworld 1\n')).toMatchObject({
      code: 1,
      printed: expect.stringMatching(/^No numbers/) as unknown,
    });
    const faults: string[] = [];
    const command = { path: join(folder, 'none'), isJson: false, onFault: (message: string) => faults.push(message) };
    expect(await suggestFrom({} as never, command)).toBe(1);
    expect(faults[0]).toMatch(/^cannot read .*none: no such file or directory \(ENOENT\)$/);
  });

  it('says what to give in place of a folder', async () => {
    const faults: string[] = [];
    const command = { path: folder, isJson: false, onFault: (message: string) => faults.push(message) };
    expect(await suggestFrom({} as never, command)).toBe(1);
    expect(faults[0]).toMatch(
      /^cannot read .*: it is a folder; give a file with what one job printed, such as .*\.out$/
    );
  });
});
