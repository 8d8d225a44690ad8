import { writeSync } from 'node:fs';
import { constants, hostname, userInfo } from 'node:os';
import { dirname } from 'node:path';
import { isatty, WriteStream } from 'node:tty';
import { setFlagsFromString } from 'node:v8';
import { type Clock, createSystemClock } from './clock/clock.js';
import { runCommandLine } from './cli/command-line.js';
import { readCharset, showOwnText } from './host/charset.js';
import type { Host, Machine, TerminalSize } from './host/host.js';
import { parseInherited } from './host/inherited.js';
import { explainOldNode } from './host/node-version.js';
import { connectSupervisor } from './host/supervisor.js';
import { writeWhole } from './host/write-whole.js';

const charset = readCharset(process.env);
const { showOnTerminal } = charset === 'ascii' ? await import('./host/show-on-terminal.js') : {};

/** Our own texts are short. If nobody can take them, the job must not suffer. */
function writeText(fd: number): (text: string) => void {
  const isPlain = showOnTerminal !== undefined && isatty(fd);
  return (text) => {
    try {
      writeSync(fd, isPlain ? showOnTerminal(text, charset) : text);
    } catch {
      // Nobody reads it.
    }
  };
}

/** A report may be long, and has a reader. */
function writeWholeText(fd: number): (text: string) => void {
  const isPlain = showOnTerminal !== undefined && isatty(fd);
  return (text) => {
    try {
      writeWhole(fd, Buffer.from(isPlain ? showOnTerminal(text, charset) : text));
    } catch {
      // Nobody reads it.
    }
  };
}

/** A variable that our own launcher sets. Nobody else shall see it. */
function takeVariable(name: string): string | undefined {
  const value = process.env[name];
  Reflect.deleteProperty(process.env, name);
  return value;
}

function readMachine(clock: Clock): Machine {
  const user = readUser();
  return {
    host: hostname(),
    userName: user.name,
    homeFolder: process.env['HOME'] ?? user.homeFolder,
    workFolder: takeVariable('JOBLENS_WORK_FOLDER') ?? process.cwd(),
    pid: process.pid,
    nowMs: clock.nowMs(),
    monotonicMs: clock.monotonicMs(),
  };
}

/** In a container the user may be a number without a name. */
function readUser(): { name: string; homeFolder: string } {
  try {
    const { username, homedir } = userInfo();
    return { name: username, homeFolder: homedir };
  } catch {
    return { name: process.env['USER'] ?? String(process.getuid?.() ?? ''), homeFolder: '/' };
  }
}

function readTerminal(): TerminalSize | undefined {
  if (!isatty(stdoutFd)) return undefined;
  const [width, height] = new WriteStream(stdoutFd).getWindowSize();
  return { width, height };
}

const clock = createSystemClock();

const tooOld = explainOldNode(process.versions.node);
if (tooOld !== undefined) {
  writeText(2)(`joblens: ${tooOld}\n`);
  process.exit(1);
}

const supervisorFds = takeVariable('JOBLENS_SUPERVISOR');
const isSupervised = supervisorFds !== undefined && supervisorFds !== 'none';
/** When what started this process is killed, what was printed before is still in the pipes. */
const LAST_WORDS_MS = 300;
const endSoon = (): void => void setTimeout(() => process.exit(1), LAST_WORDS_MS);
const supervisor = isSupervised ? connectSupervisor(supervisorFds, process.pid, endSoon) : undefined;
const { stdoutFd, stderrFd } = supervisor ?? { stdoutFd: 1, stderrFd: 2 };

const inheritedText = takeVariable('JOBLENS_INHERITED');
const inherited = inheritedText === undefined ? undefined : parseInherited(inheritedText);
if (inherited !== undefined) {
  delete process.env['NODE_OPTIONS'];
  if (inherited.nodeOptions !== undefined) process.env['NODE_OPTIONS'] = inherited.nodeOptions;
}
const isIgnored = (signal: NodeJS.Signals): boolean =>
  inherited?.ignoredSignals.includes(constants.signals[signal]) === true;
// Node has made nohup and the like undone.
for (const signal of ['SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGTERM', 'SIGUSR1', 'SIGUSR2'] as const) {
  if (isIgnored(signal)) process.on(signal, () => undefined);
}

const writeStderr = writeText(stderrFd);
const host: Host = {
  environment: process.env,
  machine: readMachine(clock),
  uid: process.geteuid?.() ?? 0,
  installFolder: dirname(dirname(process.argv[1] ?? '')),
  sharedFolders: ['/dev/shm', '/tmp'],
  clock,
  random: Math.random,
  supervisor,
  inherited,
  openStdin: () => process.stdin,
  stdoutFd,
  stderrFd,
  writeStderr: (text) => writeStderr(showOwnText(text, charset)),
  writeStdout: writeWholeText(stdoutFd),
  readTerminal,
  isTerminal: isatty,
  onSignal(signal, listener) {
    if (isIgnored(signal)) return () => undefined;
    process.on(signal, listener);
    return () => process.removeListener(signal, listener);
  },
  onFault(listener) {
    process.on('uncaughtException', listener);
    return () => process.removeListener('uncaughtException', listener);
  },
};

// By default V8 keeps 48 MB for young objects and lets the heap grow to about twice the memory in use. That memory
// belongs to the job. Most output never becomes an object, so more frequent collections cost little.
setFlagsFromString('--heap-growing-percent=15 --semi-space-growth-factor=1');

const exitCode = await runCommandLine(process.argv.slice(2), host);
supervisor?.sayExit(exitCode);
// Open sockets of a server that does not answer must not keep a finished job waiting.
process.exit(exitCode);
