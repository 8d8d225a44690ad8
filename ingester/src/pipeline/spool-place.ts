import type { SpoolDestination, SpoolPlace } from '../spool/open-spool.js';
import { createNodeSpoolFs } from '../spool/node-spool-fs.js';
import type { InfluxConnection } from '../sinks/influxdb/connection.js';
import type { OutputOptions } from './output.js';

export { adoptLeftovers, listSpools, openSpool } from '../spool/open-spool.js';

/** The spool folder of the settings, on this machine. */
export function createSpoolPlace(
  options: Pick<OutputOptions, 'spool' | 'hostFacts' | 'clock' | 'random' | 'report'>
): SpoolPlace {
  const { spool, hostFacts, clock, random, report } = options;
  return { root: spool.root, fs: createNodeSpoolFs(), facts: hostFacts(), clock, random, report };
}

/** What tells one destination from another; no secret. */
export function formatSpoolDestination({ url, org, bucket }: InfluxConnection): SpoolDestination {
  return { url, bucket, ...(org === undefined ? {} : { org }) };
}
