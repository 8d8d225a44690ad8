import type { OptIn } from '../rules/options/read-opt-in.js';
import { formatDestination } from '../config/format-destination.js';
import { createJobAddress } from '../config/job-address.js';
import type { Settings } from '../config/settings.js';
import { resolveOptIn } from './resolve-opt-in.js';
import type { SessionOptions } from './session-options.js';

/** What the owner of a job wants logged, and whether there is a place for it. */
export type LoggingDecision = OptIn | { readonly kind: 'no-destination' };

export const NO_DESTINATION = 'nothing says where to write; set INFLUX_HOST, or give --url URL or --out FILE';

/** Finds out whether the job is to be logged. Says so in one line, which comes before what the job prints. */
export async function decideLogging(options: SessionOptions): Promise<LoggingDecision> {
  const { settings, host, report } = options;
  const { source, destination, isLeader } = settings;
  const optIn = await resolveOptIn(settings.optIn, host.uid);
  if (optIn.kind === 'absent') {
    reportAbsentOptIn(options);
    return optIn;
  }
  if (optIn.kind === 'invalid') report.error(optIn.message);
  else if (optIn.notice !== undefined) report[settings.isLeader ? 'warn' : 'debug'](optIn.notice);
  if (destination === undefined) {
    report.error(`nothing is logged: ${NO_DESTINATION}`);
    return { kind: 'no-destination' };
  }
  if (optIn.kind === 'invalid') return optIn;
  // One task reports it for all of them.
  report[isLeader ? 'info' : 'debug'](
    `logging job ${source.job} of ${source.user}, mode ${optIn.config.mode}, to ${formatDestination(destination)}` +
      formatLink(settings)
  );
  return optIn;
}

/** Where people see the job, if the site says that. */
function formatLink({ source: { job, user }, destination, options: { page } }: Settings): string {
  return page === undefined || destination?.kind !== 'influxdb' ? '' : `; see ${createJobAddress(page, { job, user })}`;
}

function reportAbsentOptIn({ settings: { optIn, isLeader, options }, report }: SessionOptions): void {
  if (optIn.kind !== 'file') return;
  const message = `nothing is logged: there is no ${optIn.path}`;
  // A user who names a file expects it to be there.
  if (optIn.isExplicit) report.warn(message);
  else
    report[options.quiet || !isLeader ? 'debug' : 'info'](
      `${message}; make it (empty is enough) or give --mode enabled`
    );
}
