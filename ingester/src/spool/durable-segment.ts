import { removeQuietly, type SpoolFile, type SpoolFs } from './spool-fs.js';

/**
 * Writes encoded records to a new file, which gets its name once they are durable. When it resolves, the name is
 * durable too.
 */
export async function createDurableSegment(
  fs: SpoolFs,
  path: string,
  records: readonly { readonly encoded: Buffer }[],
  folders: Iterable<string>
): Promise<SpoolFile> {
  const newPath = `${path}.new`;
  await removeQuietly(fs, newPath);
  let file: SpoolFile | undefined;
  try {
    file = fs.create(newPath);
    let position = 0;
    for (const { encoded } of records) {
      file.write(encoded, position);
      position += encoded.length;
    }
    await file.sync();
    await fs.rename(newPath, path);
    for (const folder of folders) await fs.syncFolder(folder);
    return file;
  } catch (error) {
    file?.close();
    await removeQuietly(fs, newPath);
    await removeQuietly(fs, path);
    throw error;
  }
}
