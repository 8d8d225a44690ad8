import { statfs } from 'node:fs/promises';
import { createSpoolPlace, formatSpoolDestination, listSpools, openSpool } from '../delivery/spool-place.js';
import type { SessionOptions } from '../session/session-options.js';
import { createDeliveryOptions } from '../session/session.js';
import type { Finding } from './finding.js';

const MIB = 2 ** 20;
const NAME = 'spool';

/**
 * Checks that a spool can be opened and closed as for a job, that it has room, and that no points of dead processes
 * wait in it.
 */
export async function checkSpool(options: SessionOptions): Promise<Finding> {
  const { spool, destination = { kind: 'stdout' as const } } = options.settings;
  const place = createSpoolPlace(createDeliveryOptions(options, destination, 'job'));
  const opened = await openSpool({
    ...place,
    role: 'job',
    destination: destination.kind === 'influxdb' ? formatSpoolDestination(destination.connection) : {},
    sources: [],
  });
  if (!opened.ok) return { state: 'fail', name: NAME, message: opened.error };
  await opened.value.close();

  const { bavail, bsize } = await statfs(spool.root);
  const freeMib = Math.floor((bavail * bsize) / MIB);
  const found = `${spool.root}: ${freeMib} MiB free`;
  const left = (await listSpools(place)).filter(({ isAlive }) => !isAlive);
  const points = left.reduce((sum, { waitingPoints }) => sum + waitingPoints, 0);
  if (points > 0) {
    const message = `${found}; ${points} points wait there to be sent; \`joblens drain\` sends them`;
    return { state: 'warn', name: NAME, message };
  }
  if (freeMib < spool.maxBytes / MIB) {
    const message = `${found}, less than --spool-size allows (${spool.maxBytes / MIB}); make room, or give another folder with --spool`;
    return { state: 'warn', name: NAME, message };
  }
  return { state: 'ok', name: NAME, message: `${found}, nothing waits there` };
}
