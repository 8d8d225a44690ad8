import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { SUBCOMMANDS } from '../ingester/src/cli/subcommands.js';
import { describeWith } from './components.js';
import { startJoblens, whenEnded } from './whole-way/job.js';
import { ROOT, type Stack, startEmbeddedStack, startInfluxdbStack } from './whole-way/stack.js';

/** A job of the demo's shape that is over at once, with so many rows that its table has buckets. */
const PROGRAM = `console.error("cat: x: No such file or directory"); 
for (let epoch = 1; epoch <= 3000; epoch += 1) {
  console.log(JSON.stringify({ epoch, loss: 1 / epoch, val_loss: 0.1 + 1 / epoch }));
}
`;

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const SKIPPED: ReadonlySet<string> = new Set(['node_modules', 'dist', '.cache', '.config', '.git']);

/** All pages in a folder of the repository and below it. */
function findPages(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return SKIPPED.has(entry.name) ? [] : findPages(path);
    return entry.name.endsWith('.md') ? [path] : [];
  });
}

const guides = ['README.md', ...findPages('docs')];

/** The fenced blocks of a language, trimmed. */
function blocksOf(page: string, language: string): string[] {
  const fence = new RegExp(`^ *\`\`\`${language}\\n([\\s\\S]*?)^ *\`\`\``, 'gm');
  return [...read(page).matchAll(fence)].map(([, text = '']) => text.trim());
}

const examples = [...new Set(guides.flatMap((page) => blocksOf(page, 'sql')))];

describeWith(['influxd'], 'the InfluxQL examples of the README and the docs', () => {
  describe.each([
    ['the embedded store', startEmbeddedStack],
    ['a real InfluxDB', startInfluxdbStack],
  ] as const)('in %s', (_name, start) => {
    let stack: Stack;
    const authorize = (): Record<string, string> =>
      stack.token === undefined ? {} : { authorization: `Token ${stack.token}` };

    beforeAll(async () => {
      stack = await start();
      await fetch(`${stack.influxHost}/write?db=joblens`, {
        method: 'POST',
        body: 'cpu,cpu=cpu-total,host=n1 usage_user=3.5',
        headers: authorize(),
      });
      const program = [process.execPath, '-e', PROGRAM];
      const job = startJoblens(stack, [
        'run',
        '--mode',
        'enabled',
        '--job',
        'demo-1',
        '--user',
        'ann',
        '--tag',
        'experiment=sweep',
        '--',
        ...program,
      ]);
      if ((await whenEnded(job)) !== 0) throw new Error('the job failed');
    });

    afterAll(() => stack.stop());

    it.each(examples)('%s', async (text) => {
      const answer = await fetch(`${stack.influxHost}/query?${new URLSearchParams({ db: 'joblens', q: text })}`, {
        headers: authorize(),
      });
      const { results } = (await answer.json()) as { results: { error?: string; series?: unknown[] }[] };
      expect(results[0]?.error).toBeUndefined();
      expect(results[0]?.series?.length).toBeGreaterThan(0);
    });

    /** The cells of the only series that the example of docs/schema.md below these words gives, but for the times. */
    const answerTo = async (words: string): Promise<readonly unknown[]> => {
      const text = blocksAfter('docs/schema.md', words);
      const answer = await fetch(`${stack.influxHost}/query?${new URLSearchParams({ db: 'joblens', q: text })}`, {
        headers: authorize(),
      });
      const { results } = (await answer.json()) as { results: { series: { values: unknown[][] }[] }[] };
      return results[0]?.series.map(({ values }) => values.map(([, ...cells]) => cells)) ?? [];
    };

    it('name a job that lived in several slots of the last hour once', async () => {
      const slots = [9, 19, 29, 39].map((minutes) => BigInt(Date.now() - minutes * 60_000) * 1_000_000n);
      const lines = slots.map((ns) => `job_heartbeat,grid=10m,user=ann job="demo-1",state="RUNNING" ${ns}`);
      await fetch(`${stack.influxHost}/write?db=joblens`, {
        method: 'POST',
        body: lines.join('\n'),
        headers: authorize(),
      });
      expect(await answerTo('The jobs that lived in the last hour:')).toEqual([[['demo-1']]]);
    });

    it('give the last changes of state, newest first', async () => {
      expect(await answerTo('The last changes of state:')).toEqual([
        [
          ['demo-1', 'ann', 'RUNNING', 'COMPLETED'],
          ['demo-1', 'ann', null, 'RUNNING'],
        ],
      ]);
    });
  });
});

function blocksAfter(page: string, words: string): string {
  const [, after = ''] = read(page).split(words);
  return /```sql\n([\s\S]*?)```/.exec(after)?.[1]?.trim() ?? '';
}

/** `joblens COMMAND --option …` up to the program that it runs, from every shell example. */
function commandsOf(page: string): { command: string; options: string[] }[] {
  const lines = blocksOf(page, 'sh').flatMap((block) => block.split('\n'));
  return lines.flatMap((line) =>
    [...line.matchAll(/(?<=^|\s)joblens ([a-z-]+)([^|#;]*)/g)].map(([, command = '', rest = '']) => ({
      command,
      options: rest.split(' -- ')[0]?.match(/--[a-z-]+/g) ?? [],
    }))
  );
}

const binary = join(ROOT, 'ingester/bin/joblens');

describe('the shell examples of the README and the docs', () => {
  const commands = guides.flatMap(commandsOf);
  const names = [...new Set(commands.map(({ command }) => command))];

  it.each(names)('use options that joblens %s has', (name) => {
    const help = spawnSync(binary, [name, '--help'], { encoding: 'utf8' }).stdout;
    expect(help).toContain(`Usage: joblens ${name} `);
    const used = commands.filter(({ command }) => command === name).flatMap(({ options }) => options);
    const known: readonly string[] = help.match(/--[a-z-]+/g) ?? [];
    expect(used.filter((option) => !known.includes(option))).toEqual([]);
  });
});

describe('the README and the docs', () => {
  const commands = new Set(guides.flatMap(commandsOf).map(({ command }) => command));

  it.each(SUBCOMMANDS.map(({ name }) => name))('show how joblens %s is used', (name) => {
    expect([...commands]).toContain(name);
  });
});

/** npx asks the registry for a program that is in no folder above; of these, the owner is known. */
const FOREIGN_PACKAGES = /^@grafana\//;

describe('the programs that the pages start by npx', () => {
  const started = findPages('.').flatMap((page) =>
    [...read(page).matchAll(/\bnpx (?:-\S+ )*([@\w/.-]+)/g)].map(([, program = '']) => ({ page, program }))
  );

  it('are found', () => expect(started.length).toBeGreaterThan(3));

  it('are those of this checkout or of a known owner, and `joblens` is none of them', () => {
    const isKnown = (program: string): boolean =>
      FOREIGN_PACKAGES.test(program) || existsSync(join(ROOT, 'node_modules/.bin', program));
    expect(started.filter(({ program }) => program === 'joblens' || !isKnown(program))).toEqual([]);
  });
});

describe('the opt-in file of the logging rules', () => {
  const pages = ['docs/logging-rules.md', 'docs/metadata-kinds.md'];
  it.each(pages.flatMap((page) => blocksOf(page, 'yaml')))('is valid: %s', (text) => {
    const folder = mkdtempSync(join(tmpdir(), 'joblens-docs-'));
    try {
      const file = join(folder, '.logoptin');
      writeFileSync(file, text);
      const { stdout } = spawnSync(binary, ['doctor', '--optin', file], { encoding: 'utf8' });
      expect(stdout).toMatch(/^ok +opt-in .*: mode enabled, nonfinite log, metadata json/m);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

/** A heading's anchor, as GitHub makes it: lower case, no punctuation, `-` for a space. */
function toAnchor(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

const withoutCode = (text: string): string => text.replace(/^ *```[\s\S]*?^ *```/gm, '');

function anchorsOf(page: string): string[] {
  return [...withoutCode(read(page)).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => toAnchor(heading));
}

/** A release moves what is in `changes` into the changelog beside it. */
function folderOfLinks(page: string): string {
  const folder = dirname(page);
  const isChange = basename(folder) === 'changes' && basename(page) !== 'README.md';
  return isChange ? dirname(folder) : folder;
}

describe('the links of the pages', () => {
  it.each(findPages('.'))('%s leads to files and headings that are there', (page) => {
    const targets = [...withoutCode(read(page)).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
    const broken = targets.filter((target) => {
      if (/^[a-z]+:/.test(target)) return false;
      const [path = '', anchor] = target.split('#');
      const file = path === '' ? page : relative(ROOT, join(ROOT, folderOfLinks(page), path));
      return !existsSync(join(ROOT, file)) || (anchor !== undefined && !anchorsOf(file).includes(anchor));
    });
    expect(broken).toEqual([]);
  });
});
