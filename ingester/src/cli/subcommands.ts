import { DOCTOR } from '../operate/doctor-subcommand.js';
import { DRAIN } from '../operate/drain-subcommand.js';
import { EVENTS } from '../read-back/events/events-subcommand.js';
import { COMPARE } from '../read-back/comparison/compare-subcommand.js';
import { DIFF } from '../read-back/comparison/diff-subcommand.js';
import { WHY } from '../read-back/comparison/why-subcommand.js';
import { REPRODUCE } from '../read-back/experiment/reproduce-subcommand.js';
import { DELETE } from '../read-back/jobs/delete-subcommand.js';
import { SHARE, UNSHARE } from '../read-back/jobs/share-subcommand.js';
import { TAG } from '../read-back/jobs/tag-subcommand.js';
import { EXPORT } from '../read-back/tables/export-subcommand.js';
import { JOBS } from '../read-back/jobs/jobs-subcommand.js';
import { LOG } from '../read-back/log/log-subcommand.js';
import { MCP } from '../read-back/mcp/mcp-subcommand.js';
import { METADATA } from '../read-back/tables/metadata-subcommand.js';
import { PLOT } from '../read-back/tables/plot-subcommand.js';
import { REPORT } from '../read-back/analytics/report-subcommand.js';
import { STORY } from '../read-back/events/story-subcommand.js';
import { SUGGEST } from '../read-back/tables/suggest-subcommand.js';
import { createCompletion } from './completion-subcommand.js';
import type { Subcommand } from '../session/subcommand.js';
import { SELF_TEST } from '../setup/self-test-subcommand.js';
import { SETUP } from '../setup/setup-subcommand.js';
import { START } from '../setup/start-subcommand.js';
import { UNPACK } from '../setup/unpack-subcommand.js';
import { GATEWAY } from '../gateway/gateway-subcommand.js';
import { TOKEN } from '../gateway/token-subcommand.js';
import { IMPORT } from '../sources/import/subcommand.js';
import { DASK_PLUGIN } from '../sources/dask/subcommand.js';
import { PIPE } from '../sources/pipe/subcommand.js';
import { RUN } from '../sources/run/subcommand.js';
import { SERVE } from '../sources/serve/subcommand.js';
import { WATCH } from '../sources/watch/subcommand.js';

const COMPLETED: readonly Subcommand[] = [
  START,
  RUN,
  PIPE,
  WATCH,
  SERVE,
  GATEWAY,
  TOKEN,
  IMPORT,
  DASK_PLUGIN,
  DRAIN,
  SUGGEST,
  JOBS,
  LOG,
  METADATA,
  PLOT,
  EXPORT,
  COMPARE,
  DIFF,
  WHY,
  TAG,
  SHARE,
  UNSHARE,
  REPRODUCE,
  DELETE,
  EVENTS,
  STORY,
  REPORT,
  MCP,
  DOCTOR,
  SELF_TEST,
  SETUP,
  UNPACK,
];

/** Everything that `joblens` can do, in the order of its `--help`. */
export const SUBCOMMANDS: readonly Subcommand[] = [...COMPLETED, createCompletion(COMPLETED)];
