import { createHash } from 'node:crypto';
import type { JobSource } from '@joblens/core/schema/measurements';
import type { Host } from '../host/host.js';
import { readHostFacts } from '../host/host-facts.js';
import type { Reporter } from '../host/report.js';
import { NO_PEERS, type PeerCommands } from '../pipeline/peer-commands.js';
import { CommandFile, sweepCommandFiles } from './command-file.js';
import { openUserFolder } from './user-folder.js';

/**
 * Joins the processes of this machine that log the same job of the same user, so that a command of one holds for all.
 * Without a place to meet, the commands of this process are its own.
 */
export function openPeers({ job, user }: JobSource, host: Host, report: Reporter): PeerCommands {
  const { clock, machine, uid } = host;
  const alone = (found: string): PeerCommands => {
    report.warn(`commands in the output are not shared with other processes that log this job: ${found}`);
    return NO_PEERS;
  };
  try {
    const facts = readHostFacts(machine.pid, uid);
    const isAlive = (pid: number, startTime: string): boolean => facts.isAlive(pid, startTime);
    const folder = openUserFolder(host.sharedFolders, uid);
    if (folder === undefined) return alone(`no folder of our own in ${host.sharedFolders.join(' or ')}`);
    const name = createHash('sha256')
      .update(JSON.stringify([user, job, machine.homeFolder]))
      .digest('hex');
    sweepCommandFiles({ folder, isAlive, nowMs: () => clock.nowMs() });
    const member = [facts.pid, facts.startTime] as const;
    const startedMs = machine.monotonicMs;
    return new CommandFile({
      folder,
      name,
      member,
      isAlive,
      startedMs,
      monotonicMs: () => clock.monotonicMs(),
      onFault: (message) => report.warn(message),
    });
  } catch (error) {
    return alone(error instanceof Error ? error.message : String(error));
  }
}
