import type { Settings } from '../config/settings.js';
import type { Host } from '../host/host.js';
import type { Reporter } from '../host/report.js';

/** What every subcommand starts with. */
export interface SessionOptions {
  readonly settings: Settings;
  readonly host: Host;
  readonly report: Reporter;
}
