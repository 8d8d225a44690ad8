import { gzipSync } from 'node:zlib';
import { prepareJoblens } from '../../../testing/joblens.js';
import { atNs, createImportFile, pointsOf } from '../testing/import-file.js';

const joblens = prepareJoblens();
afterAll(() => joblens.remove());
const importFile = createImportFile(joblens);

/** As Balsam writes a time: UTC, without saying so. */
const at = (seconds: number): string => new Date(Number(atNs(seconds) / 1_000_000n)).toISOString().slice(0, -1);

const event = (id: number, second: number, fromState: string, toState: string, data: object = {}) => ({
  ...{ id, job_id: 7, timestamp: at(second), from_state: fromState, to_state: toState, data },
});
/** The newest first, as the server gives them; two at one time. */
const EVENTS = [
  event(5, 9, 'RUN_DONE', 'JOB_FINISHED'),
  event(4, 9, 'RUNNING', 'RUN_DONE'),
  event(3, 5, 'PREPROCESSED', 'RUNNING', { num_nodes: 0.5 }),
  event(2, 3.25, 'CREATED', 'PREPROCESSED', { message: 'it\'s "staged" (a)' }),
];
const JOB = {
  ...{
    id: 7,
    app_id: 1,
    workdir: 'runs/7 (a)',
    tags: { 'a.b': '-x' },
    parameters: { lr: '1e-3' },
    state: 'JOB_FINISHED',
  },
  ...{ num_nodes: 1, return_code: 0, batch_job_id: 3 },
};
const BATCH_JOB = {
  ...{ id: 3, site_id: 1, scheduler_id: 4711, project: 'climate', queue: 'debug (1)', state: 'finished' },
  ...{ num_nodes: 4, start_time: at(1), end_time: at(11) },
};

describe('joblens import balsam', () => {
  it.each([
    ['lists', { events: EVENTS, batch_jobs: [BATCH_JOB], jobs: [JOB] }],
    ['one list', [JOB, ...EVENTS, BATCH_JOB]],
  ])('makes jobs of a file with %s', async (_form, content) => {
    const packed = gzipSync(JSON.stringify(content));
    const { code, said, notes, points } = await importFile('balsam', 'theta.json.gz', packed);
    expect([code, notes]).toEqual([0, '']);
    expect(said).toMatch(/: 2 jobs: 6 events, \d+ points\n$/);
    const changes = pointsOf(points, 'job_transition').map(({ tags, fields, timeNs }) => [
      ...[fields.get('job'), tags.get('source'), tags.get('from_state'), tags.get('to_state'), fields.get('nodes')],
      ...[fields.get('wait_s'), fields.get('runtime_s'), Number((timeNs - atNs(0)) / 1_000_000n)],
    ]);
    expect(changes).toEqual([
      ['theta/batch-3', 'allocation', undefined, 'RUNNING', 4, undefined, undefined, 1000],
      ['theta/7', 'job', 'CREATED', 'PREPROCESSED', undefined, undefined, undefined, 3250],
      ['theta/7', 'job', 'PREPROCESSED', 'RUNNING', 0.5, 1.75, undefined, 5000],
      ['theta/7', 'job', 'RUNNING', 'RUN_DONE', 0.5, undefined, 4, 9000],
      ['theta/7', 'job', 'RUN_DONE', 'JOB_FINISHED', undefined, undefined, undefined, 9000],
      ['theta/batch-3', 'allocation', 'RUNNING', 'COMPLETED', 4, undefined, 10, 11000],
    ]);
    const jobs = pointsOf(points, 'job').map(({ tags, fields }) => ({
      job: tags.get('job'),
      ...Object.fromEntries(fields),
    }));
    expect(jobs).toEqual([
      expect.objectContaining({
        ...{ job: 'theta/7', state: 'JOB_FINISHED', tags: '{"a.b":"-x"}', config: '{"lr":"1e-3"}', exit_code: 0 },
        ...{ workdir: 'runs/7 (a)', scheduler_id: 'batch-3', nodes: 0.5 },
      }),
      expect.objectContaining({ job: 'theta/batch-3', queue: 'debug (1)', account: 'climate', scheduler_id: '4711' }),
    ]);
    const living = pointsOf(points, 'job_heartbeat').map(({ fields }) => fields.get('job'));
    expect([...new Set(living)]).toEqual(['theta/7']);
  });

  it('counts what it leaves out', async () => {
    const broken = [
      { ...EVENTS[0], timestamp: 'soon' },
      { ...EVENTS[0], job_id: null },
    ];
    const open = { ...BATCH_JOB, end_time: null };
    const content = { events: [...EVENTS, ...broken], batch_jobs: [open], others: [7, { a: 1 }] };
    const { code, said } = await importFile('balsam', 'theta.json', JSON.stringify(content));
    expect(code).toBe(0);
    expect(said).toContain('events without a job, a state or a time: 2, the first at event 5');
    expect(said).toContain('batch jobs without a start and an end: 1, the first at batch job 3');
    expect(said).toContain('records that are no event, batch job or job: 2, the first at the file');
  });

  it.each([
    ['no JSON', '{"events": [', /it is no JSON, or cut off/],
    ['a list in a list in a list', '['.repeat(900) + ']'.repeat(900), /it is nested too deep/],
  ])('says in one line that it cannot read %s', async (_name, content, message) => {
    const { code, notes } = await importFile('balsam', 'wrong.json', content);
    expect([code, notes]).toEqual([1, expect.stringMatching(message)]);
    expect(notes.trimEnd().split('\n')).toHaveLength(1);
  });
});
