import type { ListenAddress } from '../net/listen.js';
import type { SessionOptions } from '../session/session-options.js';
import { type HealthServer, startHealthServer } from './health-server.js';
import type { Status } from './status.js';

/**
 * Starts the health server of this daemon and reports its address. If the address cannot be used, reports one warning
 * and returns undefined: the daemon can do its work without.
 */
export async function serveHealth(
  { host, report }: Pick<SessionOptions, 'host' | 'report'>,
  health: ListenAddress | undefined,
  status: Omit<Status, 'monotonicMs'>
): Promise<HealthServer | undefined> {
  if (health === undefined) return undefined;
  const server = await startHealthServer(health, { ...status, monotonicMs: () => host.clock.monotonicMs() });
  if (!server.ok) {
    report.warn(server.error);
    return undefined;
  }
  report.info(`answering ${server.value.url}/health and ${server.value.url}/metrics`);
  return server.value;
}
