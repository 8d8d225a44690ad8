import { readdir, stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { describeFileError } from '../../../host/file-error.js';
import { ImportError, type ImportRequest, type ReadSource } from '../job/importer.js';
import { openSourceFile } from '../job/source-file.js';
import { Records } from './records.js';
import { TensorboardRun } from './run.js';

/** The name that every writer gives its files; the profiler's are no events. */
const EVENT_FILE = /tfevents(?!.*profile-empty$)/;

/** PyTorch's add_hparams writes into a folder of its own, named by the time, within that of the run. */
const HPARAMS_FOLDER = /(?:^|\/)\d{9,}\.\d+$/;

interface EventFile {
  readonly path: string;
  readonly sizeBytes: number;
}

/** Reads a log directory of TensorBoard: each folder with event files is a run, and each run a job. */
export const readTensorboard: ReadSource = async (request) => {
  const runs = await findRuns(request.source);
  const totalBytes = [...runs.values()].flat().reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  let doneBytes = 0;
  for (const [name, files] of runs) {
    const job = name === '' || runs.size === 1 ? request.job : request.openJob(`${request.job.source.job}/${name}`);
    const run = new TensorboardRun(job, request.leftOut, request.offsetNs);
    for (const { path, sizeBytes } of files) {
      await readEventFile(request, run, path, (readBytes) => request.advance(doneBytes + readBytes, totalBytes));
      if (request.signal.aborted) return;
      doneBytes += sizeBytes;
    }
    job.settle();
  }
};

async function readEventFile(
  request: ImportRequest,
  run: TensorboardRun,
  path: string,
  advance: (readBytes: number) => Promise<void>
): Promise<void> {
  const where = relative(request.source, path) || path;
  const records = new Records({
    onRecord: (record) => run.add(record, where),
    onFault: (what) => request.leftOut.add(what, where),
  });
  const file = await openSourceFile({ ...request, source: path });
  for await (const chunk of file.chunks) {
    records.add(chunk);
    await advance(file.readBytes());
  }
  if (request.signal.aborted) return;
  records.end();
  run.endRow();
}

/** The event files of each run, by its path below the source; a run that was continued has several, by their times. */
async function findRuns(source: string): Promise<ReadonlyMap<string, readonly EventFile[]>> {
  const runs = new Map<string, EventFile[]>();
  for (const path of await findEventFiles(source)) {
    const name =
      path === source ? '' : relative(source, dirname(path)).split(sep).join('/').replace(HPARAMS_FOLDER, '');
    runs.set(name, [...(runs.get(name) ?? []), { path, sizeBytes: (await stat(path)).size }]);
  }
  if (runs.size === 0) throw new ImportError(`cannot read ${source}: there is no file named *tfevents* in it`);
  return runs;
}

async function findEventFiles(source: string): Promise<readonly string[]> {
  try {
    if (!(await stat(source)).isDirectory()) return [source];
    const names = await readdir(source, { recursive: true, withFileTypes: true });
    const files = names.filter((entry) => entry.isFile() && EVENT_FILE.test(entry.name));
    return files.map((entry) => join(entry.parentPath, entry.name)).sort();
  } catch (error) {
    throw new ImportError(`cannot read ${source}: ${describeFileError(error)}`);
  }
}
