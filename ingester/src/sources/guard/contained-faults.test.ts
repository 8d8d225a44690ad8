import type { Session } from '../../session/session.js';
import { CommandOrder } from '../../pipeline/command-order.js';
import { JobPipeline } from '../../pipeline/job-pipeline.js';
import { RecordCommitter } from '../../pipeline/record-committer.js';
import { ConsoleRenderer } from '../../render/console-renderer.js';
import { LineJudge } from '../../rules/lines/line-judge.js';
import { MetadataKinds } from '../../rules/tables/metadata-kinds.js';
import type { LoggingDecision } from '../../session/decide-logging.js';
import type { SessionOptions } from '../../session/session-options.js';
import { createPipelineUnderTest, type PipelineUnderTest } from '../../testing/pipeline-under-test.js';
import { holdsText, poison } from '../../testing/poison.js';
import { readLog } from '../../testing/stored-points.js';
import { createFaultGuard } from './fault-guard.js';
import { closeGuarded, openGuarded, openGuardedStream } from './guarded-logging.js';

const opened: { session: Session | undefined } = { session: undefined };
jest.mock('../../session/session.js', () => ({ openSession: () => Promise.resolve(opened.session) }));
afterEach(() => jest.restoreAllMocks());

const PILL = 'pill';
const inArguments = (_self: unknown, values: readonly unknown[]): boolean => holdsText(values, PILL, 5);

type Stage = readonly [what: string, start: () => void];
const at = (what: string, owner: object, method: string, isPill = inArguments): Stage[] => [
  [`before ${what}`, () => poison(owner, method, isPill)],
  [`after ${what}`, () => poison(owner, method, isPill, 'after')],
];
const STAGES: readonly Stage[] = [
  ...at('describing the job', JobPipeline.prototype, 'describe', () => true),
  ...at('ordering', CommandOrder.prototype, 'pass'),
  ...at('rendering', ConsoleRenderer.prototype, 'write'),
  ...at('judging', LineJudge.prototype, 'judge'),
  ...at('reading metadata', MetadataKinds.prototype, 'read'),
  ...at('slowing down', RecordCommitter.prototype, 'untilWelcome', () => true),
  ...at('describing the end', JobPipeline.prototype, 'describeEnd', () => true),
];

/** What `run` and `pipe` do with the output of a job, each piece one line. */
async function log(test: PipelineUnderTest, lines: readonly string[], said: string[]): Promise<boolean> {
  const close = (): Promise<boolean> => {
    test.end();
    return Promise.resolve(true);
  };
  opened.session = { pipeline: test.pipeline, close };
  const report = { error: (text: string) => void said.push(text) } as unknown as SessionOptions['report'];
  const settings = { isLeader: true, options: { drainTimeoutMs: 1000 } } as unknown as SessionOptions['settings'];
  const options = { settings, report } as unknown as SessionOptions;
  const guard = createFaultGuard({ onFault: () => () => undefined }, report);
  const decision = Promise.resolve({ kind: 'config', config: {} } as unknown as LoggingDecision);
  const session = await openGuarded(options, decision, guard, {
    inputs: { kind: 'run', pipes: [] },
    outputFds: [],
    describe(job) {
      job.describe({ name: 'it' });
      return Promise.resolve();
    },
  });
  const writer = await openGuardedStream(session, { name: 'stdout', isMixed: false, toFd: 1 }, guard);
  for (const line of lines) await writer.write(Buffer.from(line));
  await test.pipeline.contain(() => test.pipeline.describeEnd({ state: 'COMPLETED' }, {}));
  await writer.end();
  return closeGuarded(session, options, guard);
}

it.each(STAGES)('a fault thrown %s costs no other line of a job of run or pipe', async (_what, start) => {
  start();
  const said: string[] = [];
  const test = createPipelineUnderTest({ opensStreams: false });
  const lines = ['line 1\n', `{"${PILL}": 1}\n`, 'line 2\n', `${PILL} é \x1b[31mx\x1b[0m\n`, 'line 3\n{"a": 1}\n'];
  expect(await log(test, lines, said)).toBe(true);
  const stored = readLog(test.stored());
  expect(stored.filter((line) => line.startsWith('line'))).toEqual(['line 1', 'line 2', 'line 3']);
  expect(said).toEqual([]);
  expect(test.said.length).toBeLessThanOrEqual(1);
  expect(test.said.join()).not.toContain('secret');
});

it('still obeys a command that forbids output when its turn cannot be found out', async () => {
  poison(CommandOrder.prototype, 'pass', () => true);
  const test = createPipelineUnderTest({ opensStreams: false });
  await log(test, ['line 1\n/LOGCOMMAND {"mode": "disabled"}\nsecret 1\n', 'secret 2\n'], []);
  expect(test.text()).toContain('line 1');
  expect(test.text()).not.toMatch(/secret \d/);
});
