import { colouredLines } from './coloured-lines.mjs';
import { influxdb } from './influxdb.mjs';
import { metadataOf21Keys } from './metadata-21-keys.mjs';
import { metadataOf3Keys } from './metadata-3-keys.mjs';
import { plainLinesPipe } from './plain-lines-pipe.mjs';
import { plainLinesTelegraf } from './plain-lines-telegraf.mjs';
import { plainLinesWatch } from './plain-lines-watch.mjs';
import { runLogging } from './run-logging.mjs';
import { runPassing } from './run-passing.mjs';
import { runStart } from './run-start.mjs';
import { runUnbuffered } from './run-unbuffered.mjs';
import { serveHttp } from './serve-http.mjs';
import { serveTelegraf } from './serve-telegraf.mjs';
import { tqdmNested } from './tqdm-nested.mjs';
import { tqdmOneBar } from './tqdm-one-bar.mjs';

/** The rows, in the order of the table. */
export const CASES = [
  plainLinesPipe,
  plainLinesWatch,
  plainLinesTelegraf,
  tqdmOneBar,
  tqdmNested,
  colouredLines,
  metadataOf3Keys,
  metadataOf21Keys,
  runPassing,
  runLogging,
  runUnbuffered,
  runStart,
  influxdb,
  serveHttp,
  serveTelegraf,
];
