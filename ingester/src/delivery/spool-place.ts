import type { Clock } from '../clock/clock.js';
import type { SpoolSettings } from '../config/settings.js';
import type { HostFacts } from '../host/host-facts.js';
import type { Reporter } from '../host/report.js';
import { createNodeSpoolFs } from '../spool/node-spool-fs.js';
import type { SpoolPlace } from '../spool/open-folder.js';
import type { SpoolDestination } from '../spool/spool-folders.js';
import type { InfluxConnection } from '../sinks/influxdb/connection.js';

export { adoptLeftovers } from '../spool/adopt-leftovers.js';
export { listSpools } from '../spool/list-spools.js';
export { openSpool } from '../spool/open-spool.js';

export interface SpoolPlaceOptions {
  readonly spool: SpoolSettings;
  readonly hostFacts: () => HostFacts;
  readonly clock: Clock;
  readonly random: () => number;
  readonly report: Reporter;
}

/** The spool folder of the settings, on this machine. */
export function createSpoolPlace({ spool, hostFacts, clock, random, report }: SpoolPlaceOptions): SpoolPlace {
  return { root: spool.root, fs: createNodeSpoolFs(), facts: hostFacts(), clock, random, report };
}

/** Tells one destination from another. Holds no secret. */
export function formatSpoolDestination({ url, org, bucket }: InfluxConnection): SpoolDestination {
  return { url, bucket, ...(org === undefined ? {} : { org }) };
}
