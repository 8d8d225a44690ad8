import { removeQuietly, type SpoolFile, type SpoolFs } from './spool-fs.js';
import { openSealedText, sealText } from './sealed-text.js';

const NAME = 'checkpoint';
const NEW_NAME = 'checkpoint.new';
const MAX_BYTES = 4096;
const TEXT_BYTES = 32;

/** Reads the sequence number of the first unsettled record: 0 when none was kept, undefined when it cannot be read. */
export async function readCheckpoint(fs: SpoolFs, folder: string): Promise<number | undefined> {
  const sealed = await readSmallFile(fs, `${folder}/${NAME}`);
  if (sealed === undefined) return 0;
  const settled = /^\{"settled":(\d{1,15})\} *$/.exec(openSealedText(sealed) ?? '')?.[1];
  return settled === undefined ? undefined : Number(settled);
}

/**
 * Writes the checkpoints of a folder. The file of the next checkpoint always exists already, as a full disk would have
 * no room for it.
 */
export class CheckpointWriter {
  readonly #fs: SpoolFs;
  readonly #folder: string;
  #next: SpoolFile | undefined;

  constructor(fs: SpoolFs, folder: string) {
    this.#fs = fs;
    this.#folder = folder;
  }

  /** Durable when it resolves. */
  async write(settled: number): Promise<void> {
    const path = `${this.#folder}/${NEW_NAME}`;
    try {
      const file = (this.#next ??= await this.#create());
      file.write(formatCheckpoint(settled), 0);
      await file.sync();
      await this.#fs.rename(path, `${this.#folder}/${NAME}`);
      await this.#fs.syncFolder(this.#folder);
    } finally {
      // After a failure the file's content is not known.
      this.#closeNext();
    }
    await this.prepare();
  }

  /** Makes room for the next checkpoint. If there is none now, writing the checkpoint tries again. */
  async prepare(): Promise<void> {
    this.#next ??= await this.#create().catch(() => undefined);
  }

  async close(): Promise<void> {
    this.#closeNext();
    await removeQuietly(this.#fs, `${this.#folder}/${NEW_NAME}`);
  }

  async #create(): Promise<SpoolFile> {
    const path = `${this.#folder}/${NEW_NAME}`;
    await removeQuietly(this.#fs, path);
    const file = this.#fs.create(path);
    try {
      file.write(formatCheckpoint(0), 0);
      return file;
    } catch (error) {
      file.close();
      throw error;
    }
  }

  #closeNext(): void {
    this.#next?.close();
    this.#next = undefined;
  }
}

/** All checkpoints have one length, so replacing one takes no more room. */
function formatCheckpoint(settled: number): Buffer {
  return Buffer.from(sealText(`{"settled":${settled}}`.padEnd(TEXT_BYTES)));
}

/** Creates a file. When it resolves, the content is durable but the name is not. */
export async function createSmallFile(fs: SpoolFs, path: string, text: string): Promise<void> {
  const file = fs.create(path);
  try {
    file.write(Buffer.from(text), 0);
    await file.sync();
  } finally {
    file.close();
  }
}

/** Reads a file of a few bytes as text; undefined when there is none. */
export async function readSmallFile(fs: SpoolFs, path: string): Promise<string | undefined> {
  if ((await fs.stat(path)) === undefined) return undefined;
  const file = await fs.open(path);
  try {
    const bytes = Buffer.alloc(MAX_BYTES);
    return bytes.toString('utf8', 0, await file.read(bytes, 0));
  } finally {
    file.close();
  }
}
