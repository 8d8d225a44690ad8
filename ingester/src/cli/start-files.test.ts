import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleJoblens, prepareJoblens } from '../testing/joblens.js';

const joblens = prepareJoblens();
afterAll(() => joblens.remove());

const DIST = join(dirname(dirname(bundleJoblens())), 'dist');
const ON = ['--mode', 'enabled', '--job', "a-b.(1) 'x'", '--user', 'ann', '--out', '/dev/null'];

/** Makes Node write down what it reads. */
const NOTE_SCRIPTS = `const { Session } = require('node:inspector'); const { writeFileSync } = require('node:fs');
const session = new Session(); const urls = []; session.connect();
session.on('Debugger.scriptParsed', ({ params }) => urls.push(params.url)); session.post('Debugger.enable');
process.on('exit', () => writeFileSync(require('node:path').join(__dirname, process.pid + '.json'), JSON.stringify(urls)));`;

/** The files of the command that a start reads. */
async function listRead(args: readonly string[], surroundings: Record<string, string> = {}): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'joblens-start-'));
  try {
    writeFileSync(join(folder, 'note.cjs'), NOTE_SCRIPTS);
    const JOBLENS_NODE_OPTIONS = `--require "${folder}/note.cjs"`;
    expect(await joblens.run(args, '', { ...surroundings, JOBLENS_NODE_OPTIONS })).toMatchObject({ code: 0 });
    const notes = readdirSync(folder).filter((name) => name.endsWith('.json'));
    const urls = notes.flatMap((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as string[]);
    const paths = urls.flatMap((url) => (url.startsWith('file:') ? [fileURLToPath(url)] : []));
    return [...new Set(paths.filter((path) => basename(path).startsWith('joblens')))];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

describe('what a start reads', () => {
  it.each([
    ['run that logs nothing', ['run', '--', 'true'], 4, 550],
    ['run', ['run', ...ON, '--', 'true'], 5, 1300],
    ['pipe that logs nothing', ['pipe'], 4, 550],
    ['pipe', ['pipe', ...ON], 5, 1300],
    ['run that sends to a server', ['run', ...ON.slice(0, -2), '--url', 'http://127.0.0.1:1', '--', 'true'], 7, 1500],
    ['the help of a command', ['log', '--help'], 3, 450],
  ])('is few and small files, whatever can be shown: %s', async (_name, args, files, kib) => {
    for (const LC_ALL of ['C.UTF-8', 'C']) {
      const read = await listRead(args, { LC_ALL });
      expect(read.length).toBeGreaterThan(1);
      expect(read.length).toBeLessThanOrEqual(files);
      const bytes = read.reduce((sum, path) => sum + statSync(path).size, 0);
      expect(bytes / 1024).toBeLessThan(kib);
    }
  });

  it('no two of the files need each other', () => {
    const names = readdirSync(DIST).filter((name) => /^joblens.*\.c?js$/.test(name));
    const needs = new Map(names.map((name) => [name, listNeeds(readFileSync(join(DIST, name), 'utf8'))]));
    expect(needs.size).toBeGreaterThan(20);
    const done = new Set<string>();
    const visit = (name: string, above: readonly string[]): void => {
      expect(above).not.toContain(name);
      if (done.has(name)) return;
      for (const needed of needs.get(name) ?? []) visit(needed, [...above, name]);
      done.add(name);
    };
    for (const name of names) visit(name, []);
  });
});

/** The files that it imports before its first line. */
function listNeeds(text: string): string[] {
  return Array.from(text.matchAll(/^(?:import|\} from|export .* from) ?.*"\.\/([^"]+)";$/gm), ([, name = '']) => name);
}
