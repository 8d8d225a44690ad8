import type { SpoolFs } from './spool-fs.js';
import { removeQuietly } from './spool-fs.js';

const NAME = 'checkpoint';
const NEW_NAME = 'checkpoint.new';
const MAX_BYTES = 4096;

/** The sequence number of the first record that is not settled; undefined when none was kept or it cannot be read. */
export async function readCheckpoint(fs: SpoolFs, folder: string): Promise<number | undefined> {
  const text = await readSmallFile(fs, `${folder}/${NAME}`);
  const settled = /^\{"settled":(\d{1,15})\}\n$/.exec(text ?? '')?.[1];
  return settled === undefined ? undefined : Number(settled);
}

/** Durable when it resolves. */
export async function writeCheckpoint(fs: SpoolFs, folder: string, settled: number): Promise<void> {
  await removeQuietly(fs, `${folder}/${NEW_NAME}`);
  await createSmallFile(fs, `${folder}/${NEW_NAME}`, `{"settled":${settled}}\n`);
  await fs.rename(`${folder}/${NEW_NAME}`, `${folder}/${NAME}`);
  await fs.syncFolder(folder);
}

/** Its content is durable when it resolves, its name is not. */
export async function createSmallFile(fs: SpoolFs, path: string, text: string): Promise<void> {
  const file = fs.create(path);
  try {
    file.write(Buffer.from(text), 0);
    await file.sync();
  } finally {
    file.close();
  }
}

/** A file of a few bytes as text; undefined when there is none. */
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
