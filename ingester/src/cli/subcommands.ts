import { DOCTOR } from '../operate/doctor-subcommand.js';
import { DRAIN } from '../operate/drain-subcommand.js';
import type { Subcommand } from '../session/subcommand.js';
import { PIPE } from '../sources/pipe/subcommand.js';
import { RUN } from '../sources/run/subcommand.js';
import { SERVE } from '../sources/serve/subcommand.js';
import { WATCH } from '../sources/watch/subcommand.js';

/** Everything that `joblens` can do, in the order of its `--help`. */
export const SUBCOMMANDS: readonly Subcommand[] = [RUN, PIPE, WATCH, SERVE, DRAIN, DOCTOR];
