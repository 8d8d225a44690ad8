import { writeSync } from 'node:fs';
import { Socket } from 'node:net';

/**
 * What the supervisor says: the command runs, or could not be started; a signal came; the command has ended; or that it
 * is gone itself, before all else has ended.
 */
export type SupervisorWord =
  | { readonly kind: 'started'; readonly pid: number }
  | { readonly kind: 'failed'; readonly errno: number }
  | { readonly kind: 'signal'; readonly number: number }
  /** `status`: as wait(2) gives it. */
  | { readonly kind: 'ended'; readonly status: number }
  | { readonly kind: 'gone' };

/**
 * The parent process (bin/supervise.pl) of this one and of the command. It runs the command, passes signals on to it
 * and exits as it does, whatever happens here.
 */
export interface Supervisor {
  /** The descriptors of `joblens`; the supervisor reads our own, in case we cannot start. */
  readonly stdoutFd: number;
  readonly stderrFd: number;
  /** This process works: it reads standard input by itself. */
  sayAlive(): void;
  /** No command is to be started: `joblens` exits with this code. */
  sayExit(code: number): void;
  /**
   * Starts a command, the last words of the command line. `outputFds`: what its standard output and error shall be,
   * pipes of this process; its own by default.
   */
  start(wordCount: number, outputFds?: readonly [stdout: number, stderr: number]): void;
  /** Calls the listener for each word from now on. To be called once, unless `endWithIt` is. */
  onWord(listener: (word: SupervisorWord) => void): void;
  /** Ends this process soon after the supervisor. */
  endWithIt(): void;
}

/**
 * `fds`: our ends of the pipes, as the supervisor names them: to read its words, to write our own, standard output and
 * error.
 * `endSoon` ends this process.
 */
export function connectSupervisor(fds: string, pid: number, endSoon: () => void): Supervisor {
  const [readFd = -1, writeFd = -1, stdoutFd = 1, stderrFd = 2] = fds.split(',').map(Number);
  const say = (words: string): void => {
    try {
      writeSync(writeFd, `${words}\n`);
    } catch {
      // It is gone, which `onGone` tells.
    }
  };
  const onWord = (listener: (word: SupervisorWord) => void): void => {
    let rest = '';
    const socket = new Socket({ fd: readFd, readable: true, writable: false });
    socket.on('data', (text) => {
      const lines = (rest + text.toString()).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) listener(parseWord(line));
    });
    socket.on('error', () => undefined);
    socket.once('close', () => listener({ kind: 'gone' }));
  };
  return {
    stdoutFd,
    stderrFd,
    onWord,
    endWithIt: () =>
      onWord(({ kind }) => {
        if (kind === 'gone') endSoon();
      }),
    sayAlive: () => say('alive'),
    sayExit: (code) => say(`exit ${code}`),
    start(wordCount, outputFds) {
      const [out, error] = outputFds?.map((fd) => `/proc/${pid}/fd/${fd}`) ?? ['-', '-'];
      say(`run ${wordCount} ${out} ${error}`);
    },
  };
}

function parseWord(line: string): SupervisorWord {
  const [kind, text] = line.split(' ');
  const number = Number(text);
  switch (kind) {
    case 'started':
      return { kind, pid: number };
    case 'failed':
      return { kind, errno: number };
    case 'signal':
      return { kind, number };
    default:
      return { kind: 'ended', status: number };
  }
}
