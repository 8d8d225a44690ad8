/** A call of Balsam or Dask, and the command and the query that answer it: a row of docs/events.md. */
export interface KnownCall {
  readonly call: string;
  readonly command: string;
  readonly query: string;
  /** What the command prints for the events of stored-events.ts: the columns but time and user, without the data. */
  readonly printed: readonly string[];
  /** What the query gives: the value of each row in its first column. */
  readonly rows: readonly unknown[];
}

const RUN = ['101 state - PENDING', '101 state PENDING RUNNING', '101 state RUNNING COMPLETED'];
const STATES = `FROM "job_event" WHERE "topic" = 'state'`;
const DAY = '--after 2023-11-14';

export const BALSAM_CALLS: readonly KnownCall[] = [
  {
    call: 'EventLog.objects.filter(job_id=101)',
    command: 'joblens events --job 101 --topic state',
    query: `SELECT "to_state", "data" ${STATES} AND "job" = '101'`,
    printed: RUN,
    rows: ['PENDING', 'RUNNING', 'COMPLETED'],
  },
  {
    call: 'EventLog.objects.filter(job_id=[101, 103], to_state="RUNNING")',
    command: 'joblens events --job 101 --job 103 --to-state RUNNING',
    query: `SELECT "job", "data" ${STATES} AND ("job" = '101' OR "job" = '103') AND "to_state" = 'RUNNING'`,
    printed: ['103 state PENDING RUNNING', '101 state PENDING RUNNING'],
    rows: ['101', '103'],
  },
  {
    call: 'EventLog.objects.filter(to_state="JOB_FINISHED")',
    command: `joblens events --to-state COMPLETED ${DAY}`,
    query: `SELECT "job" FROM "job_transition" WHERE "to_state" = 'COMPLETED' AND "source" != 'slurm-job'`,
    printed: ['103 state RUNNING COMPLETED', '101 state RUNNING COMPLETED'],
    rows: ['101', '103'],
  },
  {
    call: 'EventLog.objects.filter(from_state="RUNNING", to_state="RUN_ERROR")',
    command: `joblens events --from-state RUNNING --to-state FAILED ${DAY}`,
    query: `SELECT "job" FROM "job_transition" WHERE "from_state" = 'RUNNING' AND "to_state" = 'FAILED'`,
    printed: ['102_1 state RUNNING FAILED'],
    rows: ['102_1'],
  },
  {
    call: 'EventLog.objects.filter(timestamp_after=a, timestamp_before=b)',
    command: 'joblens events --after 2023-11-14T22:16:41Z --before 2023-11-14T22:16:42Z',
    query: `SELECT "topic", "data" FROM "job_event" WHERE time >= '2023-11-14T22:16:41Z' AND time <= '2023-11-14T22:16:42Z'`,
    printed: ['dask-1 runtimes - -', '101 runtimes - -'],
    rows: ['runtimes', 'runtimes'],
  },
  {
    call: 'EventLog.objects.filter(scheduler_id=9102)',
    command: `joblens events --scheduler-id 9102 --topic state ${DAY}`,
    query: `SELECT "job", "scheduler_id" FROM "job" WHERE "scheduler_id" = '9102'`,
    printed: ['102_1 state - PENDING', '102_1 state PENDING RUNNING', '102_1 state RUNNING FAILED'],
    rows: ['102_1'],
  },
  {
    call: 'EventLog.objects.filter(tags={"experiment": "foo"}, to_state="RUNNING")',
    command: `joblens events --tag experiment=foo --to-state RUNNING ${DAY}`,
    query: `SELECT "job", "tags" FROM "job" WHERE "tags" =~ /"experiment":"foo"/`,
    printed: ['102_1 state PENDING RUNNING', '101 state PENDING RUNNING'],
    rows: ['101', '102_1'],
  },
  {
    call: 'EventLog.objects.filter(data={"exit_code": "1"})',
    command: `joblens events --text '"exit_code":1' ${DAY}`,
    query: `SELECT "job", "data" ${STATES} AND "exit_code" = 1`,
    printed: ['102_1 state RUNNING FAILED'],
    rows: ['102_1'],
  },
  {
    call: 'EventLog.objects.filter(job_id=101).order_by("timestamp")[:2]',
    command: 'joblens events --job 101 --order oldest --limit 2',
    query: `SELECT "to_state", "data" ${STATES} AND "job" = '101' ORDER BY time ASC LIMIT 2`,
    printed: RUN.slice(0, 2),
    rows: ['PENDING', 'RUNNING'],
  },
];

export const DASK_CALLS: readonly KnownCall[] = [
  {
    call: 'client.get_events("runtimes")',
    command: `joblens events --topic runtimes ${DAY}`,
    query: `SELECT "job", "data" FROM "job_event" WHERE "topic" = 'runtimes'`,
    printed: ['{"step":1,"seconds":2.5,"note":"a \\"quoted\\" note"}', '{"step":2,"seconds":3.5}', '["any","JSON",1]'],
    rows: ['101', '101', 'dask-1'],
  },
  {
    call: 'client.get_events()',
    command: `joblens events --topics ${DAY}`,
    query: `SELECT count("data") FROM "job_event" WHERE "job" = 'dask-1' GROUP BY "topic"`,
    printed: ['state 9', 'transitions 5', 'runtimes 3', 'a topic, with=all 1'],
    rows: [1, 1, 5],
  },
  {
    call: 'client.story("inc-1")',
    command: `joblens story inc-1 ${DAY}`,
    query: `SELECT "job", "data" FROM "job_event" WHERE "topic" = 'transitions' AND "data" =~ /"inc-1"/`,
    printed: [
      'dask-1 sum-1 released waiting {"inc-1":"processing"} update-graph-1',
      'dask-1 inc-1 released waiting {} update-graph-1',
      'dask-1 inc-1 waiting processing {} task-2',
      'dask-1 other waiting memory {"inc-1":"released"} -',
    ],
    rows: ['dask-1', 'dask-1', 'dask-1', 'dask-1'],
  },
];
