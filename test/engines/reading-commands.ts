/** `WRITTEN` stands for the time when all was written, as jobs go on until now. */
const RANGE = '--after 2023-11-14 --before WRITTEN';
const EVENTS_RANGE = '--after 2023-11-14T22:00:00Z --before 2023-11-14T23:00:00Z';

/** What is asked of all jobs. */
export const LISTS = [
  `jobs ${RANGE}`,
  `jobs ${RANGE} --user ann --state failed --limit 0`,
  `jobs ${RANGE} --tag experiment=real --json`,
  'jobs --tag experiment=real --tag team=a --user ann --json',
  'compare --tag experiment=real --json',
  'compare --user ann',
  `jobs ${RANGE} --text resnet`,
  `jobs ${RANGE} --by-state`,
  'jobs train mpi bare 101 --json',
  `events ${RANGE}`,
  `events ${RANGE} --to-state failed`,
  `events ${RANGE} --from-state RUNNING --user ann --json`,
  `events ${RANGE} --order oldest --limit 2`,
  `events ${RANGE} --tag experiment=foo --to-state RUNNING`,
  `events ${RANGE} --scheduler-id 9102 --topic state`,
  `events ${RANGE} --topic runtimes`,
  `events ${RANGE} --topics`,
  `events ${RANGE} --text memory`,
  `events ${RANGE} --text ^[a-z]{8}$`,
  'events --job train --job 101',
  `story inc-1 ${RANGE}`,
  `report throughput ${EVENTS_RANGE}`,
  `report throughput ${EVENTS_RANGE} --from-state RUNNING --each`,
  `report utilization ${EVENTS_RANGE} --weight cpus`,
  `report utilization ${EVENTS_RANGE} --user ann --each`,
  `report nodes ${EVENTS_RANGE}`,
  `report waits ${EVENTS_RANGE} --each`,
  `report waits ${EVENTS_RANGE} --tag experiment=foo`,
  `report states ${EVENTS_RANGE} --scheduler-id 9102`,
  `report usage ${EVENTS_RANGE} --to-state COMPLETED`,
  `report usage ${RANGE}`,
];

/** What is asked of one job, or of two. */
export const OF_JOBS = [
  'log train',
  'log train -n 5 --both --times',
  'log train --grep ^[a-z]{4}.[0-9]{2,3}$',
  'log train --stderr --since 2023-11-14',
  'log mpi --task 1',
  'log train -n 3 --follow',
  'metadata train',
  'metadata train --tables',
  'metadata train --table val_loss --csv',
  'metadata train --json --since 2023-11-14',
  'metadata mpi --tables',
  'metadata bare -n 3',
  'export train',
  'export mpi --format csv --table loss',
  'plot train',
  'plot train loss --x time',
  'plot bare',
  'report nodes --failures --after 30d',
  'report job train',
  'why train',
  'why 101 --json',
  'report job 101 --json',
  'report spans bare',
];

/** What is asked of the jobs of other programs. */
export const OF_OTHERS = [
  'log events',
  'metadata rows',
  'export rows',
  'plot rows',
  'report job events',
  'jobs rows events',
];
