import { readFile } from 'node:fs/promises';
import type { Clock } from '../clock/clock.js';
import type { Environment } from '../host/host.js';
import type { Reporter } from '../host/report.js';
import { explainEnd, runToEnd } from '../host/run-to-end.js';
import type { Directory } from './access-rules.js';

/** How often groups are asked for, how long one program may take, and how much it may print. */
const INTERVAL_MS = 60_000;
const LIMITS = { timeoutMs: 20_000, maxBytes: 64 << 20 };
/** Groups that are older count no more: who has left one must not see it for ever. */
const MAX_AGE_MS = 30 * 60_000;

/** What one source says: the groups of each user, and whom each coordinator may see. */
interface Membership {
  readonly groups: ReadonlyMap<string, ReadonlySet<string>>;
  readonly seen: ReadonlyMap<string, ReadonlySet<string>>;
}

type RunProgram = (program: string, args: readonly string[]) => Promise<string>;

interface GroupsOptions {
  /** `system`, `slurm`, or the path of a file like /etc/group. */
  readonly sources: readonly string[];
  readonly clock: Pick<Clock, 'monotonicMs' | 'sleep'>;
  readonly report: Reporter;
  readonly runProgram: RunProgram;
}

/** The groups of all users, asked for at intervals: no request waits for a program. */
export class UserGroups implements Directory {
  readonly #options: GroupsOptions;
  readonly #known = new Map<string, { readonly membership: Membership; readonly atMs: number }>();

  constructor(options: GroupsOptions) {
    this.#options = options;
  }

  groupsOf(user: string): readonly string[] {
    return this.#join(({ groups }) => groups.get(user));
  }

  coordinatedBy(user: string): readonly string[] {
    return this.#join(({ seen }) => seen.get(user));
  }

  /** Asks all sources, one after the other. */
  async refresh(): Promise<void> {
    const { sources, clock, report, runProgram } = this.#options;
    for (const source of sources) {
      try {
        this.#known.set(source, { membership: await readSource(source, runProgram), atMs: clock.monotonicMs() });
      } catch (error) {
        const found = error instanceof Error ? error.message.split('\n')[0] : String(error);
        report.warn(`cannot read the groups of ${source}: ${found}; those known before count for half an hour`);
      }
    }
  }

  async keepFresh(stop: AbortSignal): Promise<void> {
    while (!stop.aborted && this.#options.sources.length > 0) {
      await this.refresh();
      await this.#options.clock.sleep(INTERVAL_MS, stop);
    }
  }

  #join(select: (membership: Membership) => ReadonlySet<string> | undefined): readonly string[] {
    const nowMs = this.#options.clock.monotonicMs();
    const fresh = [...this.#known.values()].filter(({ atMs }) => nowMs - atMs < MAX_AGE_MS);
    return [...new Set(fresh.flatMap(({ membership }) => [...(select(membership) ?? [])]))];
  }
}

/** Runs programs with a limit of time and output, and nothing of our environment but where programs are. */
export function createRunProgram({ PATH, SLURM_CONF }: Environment): RunProgram {
  const environment = { PATH, LC_ALL: 'C.UTF-8', ...(SLURM_CONF !== undefined && { SLURM_CONF }) };
  return async (program, args) => {
    const end = await runToEnd(program, args, { environment, ...LIMITS });
    if (end.kind === 'ended' && end.code === 0) return end.stdout.toString('utf8');
    const said = end.stderr.toString('utf8').trim().split('\n').at(-1);
    throw new Error(`${program} ${args[0] ?? ''} ${explainEnd(end, LIMITS)}${said ? `: ${said}` : ''}`);
  };
}

async function readSource(source: string, run: RunProgram): Promise<Membership> {
  if (source === 'slurm') {
    const [associations, coordinators] = [
      await run('sacctmgr', ['--noheader', '--parsable2', 'show', 'associations', 'format=account,user']),
      await run('sacctmgr', [
        '--noheader',
        '--parsable2',
        'show',
        'account',
        'withcoord',
        'format=account,coordinators',
      ]),
    ];
    return readAccounts(associations, coordinators);
  }
  if (source !== 'system') return { groups: readGroups(await readFile(source, 'utf8'), ''), seen: new Map() };
  return { groups: readGroups(await run('getent', ['group']), await run('getent', ['passwd'])), seen: new Map() };
}

/** Lines `group:x:gid:user,user` (group(5)), and `user:x:uid:gid:…` (passwd(5)) for the first group of each user. */
function readGroups(groupText: string, passwdText: string): ReadonlyMap<string, ReadonlySet<string>> {
  const groups = new Map<string, Set<string>>();
  const byId = new Map<string, string>();
  for (const line of groupText.split('\n')) {
    const [group = '', , id = '', users = ''] = line.split(':');
    if (group === '' || group.startsWith('#')) continue;
    byId.set(id, group);
    for (const user of users.split(',')) add(groups, user.trim(), group);
  }
  for (const line of passwdText.split('\n')) {
    const [user = '', , , id = ''] = line.split(':');
    add(groups, user, byId.get(id) ?? '');
  }
  return groups;
}

/** Lines `account|user` and `account|user,user` (sacctmgr(1)): members, and who coordinates an account sees them. */
function readAccounts(associationText: string, coordinatorText: string): Membership {
  const [groups, members, seen] = [
    new Map<string, Set<string>>(),
    new Map<string, Set<string>>(),
    new Map<string, Set<string>>(),
  ];
  for (const line of associationText.split('\n')) {
    const [account = '', user = ''] = splitPair(line);
    add(groups, user, account);
    add(members, account, user);
  }
  for (const line of coordinatorText.split('\n')) {
    const [account = '', coordinators = ''] = splitPair(line);
    for (const coordinator of coordinators.split(',')) {
      for (const user of members.get(account) ?? []) add(seen, coordinator.trim(), user);
    }
  }
  return { groups, seen };
}

/** A line with more fields has a name with a delimiter in it, so that nobody can tell whose it is. */
function splitPair(line: string): readonly string[] {
  const parts = line.split('|');
  return parts.length === 2 ? parts : [];
}

function add(map: Map<string, Set<string>>, key: string, value: string): void {
  if (key === '' || value === '') return;
  const known = map.get(key);
  if (known === undefined) map.set(key, new Set([value]));
  else known.add(value);
}
