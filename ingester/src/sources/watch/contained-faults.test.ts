import { RecordPlacer } from '../../pipeline/record-placer.js';
import { CommandOrder } from '../../pipeline/command-order.js';
import { JobPipeline } from '../../pipeline/job-pipeline.js';
import { JobStream } from '../../pipeline/job-stream.js';
import { ConsoleRenderer } from '../../render/console-renderer.js';
import { JobLog } from '../../rules/job-log.js';
import { LineJudge } from '../../rules/lines/line-judge.js';
import { MetadataKinds } from '../../rules/tables/metadata-kinds.js';
import { StreamSignals } from '../../rules/lines/stream-signals.js';
import { holdsText, poison } from '../../testing/poison.js';
import type { DiscoveredJob } from '../file-discovery.js';
import { EntryFiles } from './entry-files.js';
import { FileFollower } from './files/file-follower.js';
import { OptInDecisions } from './jobs/opt-in-decisions.js';
import { ann, createWatched, type Watched } from './testing/watched.js';
import { TrackedFile } from './files/tracked-file.js';
import { EntryBook } from './watched-entries.js';
import { WatchedFile } from './watched-file.js';
import { WritingOrder } from './writing-order.js';

const PILL = 'pill';
afterEach(() => jest.restoreAllMocks());

const inArguments = (_self: unknown, values: readonly unknown[]): boolean => holdsText(values, PILL);
const inPath = (self: unknown): boolean => (self as { path: string }).path.includes(PILL);
const inKey = (self: unknown): boolean => (self as { key: string }).key.includes(PILL);
const inJob = (_self: unknown, [first]: readonly unknown[]): boolean =>
  holdsText((first as { job?: unknown }).job ?? first, PILL, 2);

type Stage = readonly [what: string, owner: object, method: string, isPill: typeof inArguments];
const STAGES: readonly Stage[] = [
  ['listing a file', EntryBook.prototype, 'list', inJob],
  ['deciding', OptInDecisions.prototype, 'decide', inJob],
  ['describing', JobPipeline.prototype, 'describe', inKey],
  ['following', EntryFiles.prototype, 'createFile', inJob],
  ['the order of writers', WritingOrder.prototype, 'findShare', inJob],
  ['looking', FileFollower.prototype, 'poll', inPath],
  ['opening', FileFollower.prototype, 'close', inPath],
  ['reading', TrackedFile.prototype, 'read', inPath],
  ['the place', FileFollower.prototype, 'snapshot', inPath],
  ['polling', WatchedFile.prototype, 'poll', inPath],
  ['opening a stream', JobPipeline.prototype, 'openStream', inKey],
  ['the order of commands', CommandOrder.prototype, 'pass', inArguments],
  ['taking output', JobStream.prototype, 'write', inArguments],
  ['rendering', ConsoleRenderer.prototype, 'write', inArguments],
  ['judging', LineJudge.prototype, 'judge', inArguments],
  ['metadata', MetadataKinds.prototype, 'read', inArguments],
  ['signals', StreamSignals.prototype, 'look', inArguments],
  ['commands', JobLog.prototype, 'obey', (self) => holdsText(self, PILL, 1)],
  ['committing', RecordPlacer.prototype, 'place', inArguments],
  ['state', JobPipeline.prototype, 'takeWholeState', inKey],
  ['ending a stream', JobStream.prototype, 'end', () => false],
  ['ending', JobPipeline.prototype, 'close', inKey],
];

const NAMES = ["a b'(1)", PILL, '-c.d'];
const WELL = NAMES.filter((name) => name !== PILL);

function listJobs(watched: Watched, rest: Partial<DiscoveredJob>): DiscoveredJob[] {
  return NAMES.map((id) => ({ id, files: [{ path: watched.at(`${id}.out`), stream: 'stdout' }], ...rest }));
}

function print(watched: Watched, what: string): void {
  for (const name of NAMES) watched.append(`{"${name}": 1}\n${name} ${what}\n`, `${name}.out`);
}

/** The lines of a job, without its rows and notices. */
const read = (watched: Watched, name: string): string[] =>
  watched.log(name).filter((line) => line.startsWith(`${name} `));

const whole = (name: string): string[] => ['first', 'second', 'third'].map((what) => `${name} ${what}`);

describe.each<[string, Partial<DiscoveredJob>]>([
  ['a path', {}],
  ['a scheduler', { owner: ann }],
])('a watched job of %s', (_kind, rest) => {
  it.each(STAGES.flatMap((stage) => [['before', ...stage] as const, ['after', ...stage] as const]))(
    'suffers alone from a fault thrown %s %s',
    async (when, _what, owner, method, isPill) => {
      poison(owner, method, isPill, when);
      const watched = createWatched();
      watched.jobs = listJobs(watched, rest);
      print(watched, 'first');
      await watched.poll();
      print(watched, 'second');
      await watched.poll();
      watched.commit();
      const said = watched.said.length;
      expect(said).toBeLessThanOrEqual(2);
      watched.kill();
      await watched.poll();
      print(watched, 'third');
      await watched.poll();
      watched.commit();
      for (const name of WELL) expect(read(watched, name)).toEqual(whole(name));
      const lost = read(watched, PILL);
      expect(new Set(lost).size).toBe(lost.length);
      expect(watched.said.join('\n')).not.toContain('secret');
      expect(watched.said.length - said).toBeLessThanOrEqual(2);
      expect(watched.counters.faults > 0).toBe(watched.said.length > 0);
      watched.jobs = listJobs(watched, { ...rest, isEnded: true });
      for (let i = 0; i < 3; i += 1) await watched.poll();
      await watched.close();
      for (const name of WELL) expect(read(watched, name)).toEqual(whole(name));
    }
  );
});
