import { writeSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { isatty } from 'node:tty';
import { setFlagsFromString } from 'node:v8';
import { createSystemClock } from './clock/clock.js';
import { runCommandLine } from './cli/command-line.js';
import type { Host, Machine, TerminalSize } from './host/host.js';

/** Our own texts are short. If nobody can take them, the job must not suffer. */
function writeText(fd: number): (text: string) => void {
  return (text) => {
    try {
      writeSync(fd, text);
    } catch {
      // Nobody reads it.
    }
  };
}

function readMachine(): Machine {
  const user = readUser();
  return {
    host: hostname(),
    userName: user.name,
    homeFolder: process.env['HOME'] ?? user.homeFolder,
    workFolder: process.cwd(),
    pid: process.pid,
    nowMs: Date.now(),
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
  if (!isatty(1)) return undefined;
  const [width, height] = process.stdout.getWindowSize();
  return { width, height };
}

const host: Host = {
  environment: process.env,
  machine: readMachine(),
  uid: process.geteuid?.() ?? 0,
  sharedFolders: ['/dev/shm', '/tmp'],
  clock: createSystemClock(),
  random: Math.random,
  openStdin: () => process.stdin,
  stdoutFd: 1,
  stderrFd: 2,
  writeStderr: writeText(2),
  writeStdout: writeText(1),
  readTerminal,
  isTerminal: isatty,
  onSignal(signal, listener) {
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

// Open sockets of a server that does not answer must not keep a finished job waiting.
process.exit(await runCommandLine(process.argv.slice(2), host));
