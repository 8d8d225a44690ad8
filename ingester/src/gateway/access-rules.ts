import type { Rights, SharedJob } from '@joblens/core/gateway/restrict';
import { SHARED_GROUP } from '@joblens/core/schema/share-point';
import type { Identity } from './identity.js';

/** Groups of users, as of a while ago. */
export interface Directory {
  /** All groups that a user is in. */
  groupsOf(user: string): readonly string[];
  /** The users that a user may see beside themself, as coordinator of an account of theirs. */
  coordinatedBy(user: string): readonly string[];
}

/** Jobs that their owners have shared, as of a few seconds ago. */
export interface Shares {
  sharedWith(user: string, groups: readonly string[]): Promise<readonly SharedJob[]>;
}

interface AccessOptions {
  /** Names of users, and `group:NAME`. */
  readonly admins: readonly string[];
  /** Who has Grafana's role Admin by a signed id counts as one. */
  readonly trustsGrafanaAdmins: boolean;
  readonly directory: Directory;
  readonly shares: Shares;
}

/** Says who sees what: their own jobs, those shared with them, those of whom they coordinate; admins see all. */
export function createAccessRules({ admins, trustsGrafanaAdmins, directory, shares }: AccessOptions) {
  const adminNames = new Set(admins);
  const isAdmin = ({ user, isGrafanaAdmin }: Identity, groups: readonly string[]): boolean =>
    adminNames.has(user) ||
    (trustsGrafanaAdmins && isGrafanaAdmin) ||
    groups.some((group) => adminNames.has(SHARED_GROUP + group));
  return async (identity: Identity): Promise<Rights> => {
    const { user } = identity;
    const groups = [...new Set([...identity.groups, ...directory.groupsOf(user)])];
    if (isAdmin(identity, groups)) return { kind: 'all' };
    const users = [...new Set([user, ...directory.coordinatedBy(user)])];
    return { kind: 'some', users, jobs: await shares.sharedWith(user, groups) };
  };
}
