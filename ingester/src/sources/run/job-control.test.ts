import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeWith } from '../../../../test/components.js';
import { prepareJoblens, until } from '../../testing/joblens.js';
import { type Shell, startShell } from '../../testing/shell.js';

const joblens = prepareJoblens();
afterAll(() => joblens.remove());

const OUT = join(joblens.folder, 'o u(t).lp');
const LOGGING = `--mode enabled --job j --user ann --out '${OUT}'`;
/** The words before a command; the first is without joblens. */
const WAYS = ['', `"$J" run ${LOGGING} -- `, '"$J" run -- ', '"$J" run --quiet -- '] as const;
/** What joins a pipe in the same ways. */
const READERS = ['cat', `"$J" pipe --tee ${LOGGING}`, '"$J" pipe --tee', '"$J" pipe --tee --quiet'] as const;

/** A program that starts no others, as a shell does: while a child of vfork(2) is stopped, its parent cannot stop. */
const WAIT = `-e 'open F, ">pid"; print F "$$\\n"; close F; select undef, undef, undef, 0.05 until -e "go"; print "$ARGV[1]\\n"; exit $ARGV[0]'`;

/** Somebody at an interactive bash, with a terminal. */
interface Typist {
  readonly folder: string;
  type(text: string): void;
  /** Types a command line and returns what it prints to its end. `whenItPrints`: done at its first output. */
  ask(line: string, whenItPrints?: () => void): Promise<string>;
  leave(): void;
}

let asked = 0;
async function sitDown(): Promise<Typist> {
  const folder = mkdtempSync(join(joblens.folder, 'w o(r)k-'));
  const shell: Shell = startShell(
    joblens,
    `cd "$2"; J="$1" PS1='$ ' exec script -qefc 'exec bash --norc -i' /dev/null`,
    [folder],
    { JOBLENS_LOG_LEVEL: 'error', SHELL: '/bin/bash' }
  );
  const type = (text: string): void => void shell.child.stdin?.write(text);
  const ask = async (line: string, whenItPrints?: () => void): Promise<string> => {
    const end = `end-${asked++}`;
    const before = shell.stdout().length;
    // The terminal shows the line, too, and must not show this end.
    type(`${line}; echo "$?" ${end.replace('end', 'e""nd')}\n`);
    if (whenItPrints !== undefined) {
      await until(() => shell.stdout().length > before, 20_000);
      whenItPrints();
    }
    await until(() => shell.stdout().includes(` ${end}\r\n`, before), 20_000);
    return shell.stdout().slice(before);
  };
  // At its end bash would still write its history.
  await ask('unset HISTFILE; stty cols 900 -echo; bind "set enable-bracketed-paste off"');
  return { folder, type, ask, leave: () => shell.child.kill('SIGKILL') };
}

const readPid = async (file: string): Promise<number> => {
  await until(() => existsSync(file) && readFileSync(file, 'utf8').endsWith('\n'));
  return Number(readFileSync(file, 'utf8'));
};
const findGroup = (pid: number): number =>
  Number(/.*\) \S (?:\d+) (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, 'latin1'))?.[1]);

/** What the shell sees of a job that is stopped so, and of how it goes on. */
async function stop(way: string, signal: string, whom: 'typed' | 'joblens' | 'group' | 'command'): Promise<unknown> {
  const at = await sitDown();
  try {
    at.type(`${way}perl ${WAIT} 5\n`);
    const command = await readPid(join(at.folder, 'pid'));
    // The first of the group is what the shell has started.
    const leader = findGroup(command);
    if (whom === 'typed') at.type('\x1a');
    else process.kill({ joblens: leader, group: -leader, command }[whom], signal);
    const stopped = readStatus(await at.ask('(exit $?)'));
    const how = /Stopped(?: \([^)]*\))?/.exec(await at.ask('jobs -l'))?.[0];
    const inBackground = readStatus(await at.ask('bg 2>/dev/null'));
    const running = /Running/.exec(await at.ask('jobs -l'))?.[0];
    const end = readStatus(await at.ask('fg 2>/dev/null', () => writeFileSync(join(at.folder, 'go'), '')));
    return { stopped, how, inBackground, running, end };
  } finally {
    at.leave();
  }
}

const readStatus = (printed: string): string | undefined => /(\d+) end-\d+\r\n/.exec(printed)?.[1];

const STOPS = ['SIGTSTP', 'SIGTTIN', 'SIGTTOU', 'SIGSTOP'].flatMap((signal) =>
  (['joblens', 'group', 'command'] as const)
    // That to joblens alone cannot be passed on: docs/promises.md.
    .filter((whom) => signal !== 'SIGSTOP' || whom !== 'joblens')
    .map((whom) => [signal, whom] as const)
);

describeWith(
  ['perl', 'script'],
  'a shell with job control sees of a command under joblens what it sees without',
  () => {
    it.each([['Ctrl+Z', 'typed'] as const, ...STOPS])('%s (%s)', async (signal, whom) => {
      const found = await Promise.all(WAYS.map((way) => stop(way, signal, whom)));
      expect(found[0]).toMatchObject({ stopped: expect.stringMatching(/^1(47|48|49|50)$/) as string, end: '5' });
      expect(found.slice(1)).toEqual([found[0], found[0], found[0]]);
    });

    it('where a job in the background reads from the terminal, and goes on in the foreground', async () => {
      const read = async (way: string): Promise<unknown> => {
        const at = await sitDown();
        try {
          at.type(`${way}sh -c 'echo $$ > pid; read word; exit "$word"' &\n`);
          await readPid(join(at.folder, 'pid'));
          let how: string | undefined;
          while (how === undefined) how = /Stopped(?: \([^)]*\))?/.exec(await at.ask('jobs -l'))?.[0];
          at.type('fg\n7\n');
          return { how, end: readStatus(await at.ask('(exit $?)')) };
        } finally {
          at.leave();
        }
      };
      const found = await Promise.all(WAYS.map(read));
      expect(found[0]).toEqual({ how: 'Stopped (tty input)', end: '7' });
      expect(found.slice(1)).toEqual([found[0], found[0], found[0]]);
    });

    it('of what reads a pipe', async () => {
      const read = async (reader: string): Promise<unknown> => {
        const at = await sitDown();
        try {
          at.type(`perl ${WAIT} 0 all | ${reader} > out\n`);
          await readPid(join(at.folder, 'pid'));
          at.type('\x1a');
          const stopped = readStatus(await at.ask('(exit $?)'));
          const end = readStatus(await at.ask('fg 2>/dev/null', () => writeFileSync(join(at.folder, 'go'), '')));
          return { stopped, end, printed: readFileSync(join(at.folder, 'out'), 'utf8') };
        } finally {
          at.leave();
        }
      };
      const found = await Promise.all(READERS.map(read));
      expect(found[0]).toEqual({ stopped: '148', end: '0', printed: 'all\n' });
      expect(found.slice(1)).toEqual([found[0], found[0], found[0]]);
    });
  }
);
