import type { Clock } from '../clock/clock.js';
import type { SpoolSettings } from '../config/settings.js';
import type { HostFacts } from '../host/host-facts.js';
import type { Reporter } from '../host/report.js';
import type { SpoolDestination, SpoolPlace } from '../spool/open-spool.js';
import { createNodeSpoolFs } from '../spool/node-spool-fs.js';
import type { InfluxConnection } from '../sinks/influxdb/connection.js';

export { adoptLeftovers, listSpools, openSpool } from '../spool/open-spool.js';

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

/** What tells one destination from another; no secret. */
export function formatSpoolDestination({ url, org, bucket }: InfluxConnection): SpoolDestination {
  return { url, bucket, ...(org === undefined ? {} : { org }) };
}
