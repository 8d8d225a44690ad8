import { encodeRecord } from './record.js';
import type { Segment } from './segment.js';
import { SegmentReader } from './segment-reader.js';
import type { SpoolFs } from './spool-fs.js';
import { removeQuietly } from './spool-fs.js';

/**
 * Rewrites a segment whose records are all settled without their points. After a crash, the old or the new file is
 * there.
 */
export async function shrinkSegment(fs: SpoolFs, folder: string, segment: Segment): Promise<void> {
  const kept = await readWithoutPoints(fs, segment);
  const path = `${segment.path}.new`;
  await removeQuietly(fs, path);
  try {
    const file = fs.create(path);
    try {
      file.write(kept, 0);
      await file.sync();
    } finally {
      file.close();
    }
    await fs.rename(path, segment.path);
  } catch (error) {
    await removeQuietly(fs, path);
    throw error;
  }
  segment.sizeBytes = kept.length;
  segment.isShrunk = true;
  await fs.syncFolder(folder);
}

async function readWithoutPoints(fs: SpoolFs, { path, salt, sizeBytes, end }: Segment): Promise<Buffer> {
  const reader = new SegmentReader(await fs.open(path), salt, sizeBytes);
  const records: Buffer[] = [];
  try {
    for (let record = await reader.next(); record !== undefined; record = await reader.next()) {
      const { header, states } = record;
      if (header.sequence >= end) break;
      records.push(encodeRecord(salt, { ...header, points: 0, pointBytes: 0 }, states));
    }
  } finally {
    reader.close();
  }
  return Buffer.concat(records);
}
