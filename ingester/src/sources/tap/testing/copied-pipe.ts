import { write as writeFd } from 'node:fs';
import { promisify } from 'node:util';
import { type Clock, createSystemClock } from '../../../clock/clock.js';
import { closeFds, createFifos } from '../fifo.js';
import { openPipeReader, type PipeReader } from '../pipe-reader.js';
import { COPY_PIPE_BYTES } from '../tap.js';

const writeText = promisify<number, string, unknown>(writeFd);

export interface CopiedPipe {
  readonly copy: PipeReader;
  /** Resolves when the pipe has taken it. */
  readonly write: (text: string) => Promise<unknown>;
  /** Takes the next bytes, as text. */
  readonly take: () => Promise<string | undefined>;
  readonly endInput: () => Promise<void>;
  /** Leaves nothing open, whatever was done before. */
  readonly close: () => Promise<void>;
}

export async function openPipe(clock: Pick<Clock, 'sleep'> = createSystemClock()): Promise<CopiedPipe> {
  const [fifo] = await createFifos([COPY_PIPE_BYTES]);
  if (fifo === undefined) throw new Error('no pipe');
  await closeFds([fifo.secondReadFd]);
  const copy = openPipeReader(fifo.readFd, clock);
  let ended: Promise<void> | undefined;
  const endInput = (): Promise<void> => (ended ??= closeFds([fifo.writeFd]));
  return {
    copy,
    write: (text) => writeText(fifo.writeFd, text),
    take: async () => {
      const bytes = await copy.take();
      return bytes && Buffer.from(bytes).toString('latin1');
    },
    endInput,
    close: () => {
      copy.close();
      return endInput();
    },
  };
}
