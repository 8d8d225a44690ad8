import { analytics } from './analytics.mjs';
import { bareTable, bareTableShort } from './bare-table.mjs';
import { clusterPage } from './cluster-page.mjs';
import { compare } from './compare.mjs';
import { colouredLines } from './coloured-lines.mjs';
import { colouredLinesPipe } from './coloured-lines-pipe.mjs';
import { daskPlugin } from './dask-plugin.mjs';
import { events } from './events.mjs';
import { gateway } from './gateway.mjs';
import { influxdb } from './influxdb.mjs';
import { longLogFilter, longLogFirstScreen, longLogJump, longLogScroll } from './long-log.mjs';
import { longTable } from './long-table.mjs';
import { manyJobs, manyJobsEmbedded } from './many-jobs.mjs';
import { metadataOf21Keys } from './metadata-21-keys.mjs';
import { metadataOf3Keys } from './metadata-3-keys.mjs';
import { metadataSparse } from './metadata-sparse.mjs';
import { metadataText } from './metadata-text.mjs';
import { plainLinesPipe } from './plain-lines-pipe.mjs';
import { plainLinesTelegraf } from './plain-lines-telegraf.mjs';
import { plainLinesWatch } from './plain-lines-watch.mjs';
import { pythonDict } from './python-dict.mjs';
import { refresh, refreshShort } from './refresh.mjs';
import { runLogging } from './run-logging.mjs';
import { runMetrics } from './run-metrics.mjs';
import { runPassing } from './run-passing.mjs';
import { runStart } from './run-start.mjs';
import { runUnbuffered } from './run-unbuffered.mjs';
import { serveHttp } from './serve-http.mjs';
import { serveTelegraf } from './serve-telegraf.mjs';
import { serviceLogs } from './service-logs.mjs';
import { signals } from './signals.mjs';
import { slurmWatch } from './slurm-watch.mjs';
import { tqdmNested } from './tqdm-nested.mjs';
import { tqdmOneBar } from './tqdm-one-bar.mjs';

/** The rows, in the order of the table. */
export const CASES = [
  plainLinesPipe,
  plainLinesWatch,
  plainLinesTelegraf,
  slurmWatch,
  signals,
  tqdmOneBar,
  tqdmNested,
  colouredLines,
  colouredLinesPipe,
  metadataOf3Keys,
  metadataOf21Keys,
  metadataSparse,
  metadataText,
  serviceLogs,
  pythonDict,
  runPassing,
  runLogging,
  runUnbuffered,
  runStart,
  runMetrics,
  influxdb,
  serveHttp,
  serveTelegraf,
  gateway,
  daskPlugin,
  longTable,
  bareTable,
  bareTableShort,
  longLogFirstScreen,
  longLogJump,
  longLogScroll,
  longLogFilter,
  refresh,
  refreshShort,
  manyJobs,
  manyJobsEmbedded,
  events,
  compare,
  analytics,
  clusterPage,
];
