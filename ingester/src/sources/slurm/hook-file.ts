/** Where slurmctld's hooks write, unless the site has another place. */
export const DEFAULT_HOOK_FILE = '/var/spool/joblens-hooks/events';
