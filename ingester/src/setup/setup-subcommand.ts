import { suggestNearest } from '@joblens/core/console/find-nearest';
import { option, toggle } from '../config/option.js';
import { OTHER, SERVER } from '../config/shared-options.js';
import { absolutePath, nonEmptyText, serverUrl, token } from '../config/value-types.js';
import { readSecret } from '../net/gateway-secret.js';
import { defineSubcommand } from '../session/subcommand.js';
import { DEFAULT_HOOK_FILE } from '../config/hook-file.js';
import { duration, retention } from './influxdb/wanted.js';
import type { Gateway } from './grafana/data-sources.js';
import { Changes, SetupError } from './parts/changes.js';

const WHAT = ['influxdb', 'grafana', 'slurm'] as const;

export const SETUP = defineSubcommand({
  name: 'setup',
  summary: 'Set up InfluxDB, Grafana or Slurm for Joblens, once for a site; a second time changes nothing.',
  argument: { form: '<what>', words: WHAT, help: WHAT.join(', ') },
  own: {
    title: 'What to set up:',
    options: {
      dryRun: toggle('--dry-run', { help: 'say what would be done, and do nothing' }),
      to: option('--to <dir>', nonEmptyText, {
        help: 'influxdb: write joblens.yaml and the tokens there, e.g. /etc/joblens; slurm: where joblens.yaml is',
        shownDefault: 'print them',
      }),
      retention: option('--retention <time>', retention, {
        help: 'influxdb: how long points are kept: 52w, 30d, 12h or forever',
        shownDefault: 'as it is',
      }),
      shard: option('--shard <time>', duration, {
        help: 'influxdb: how much of it is one shard; 1d where more than 100,000 jobs run in a week',
        shownDefault: 'as it is',
      }),
      page: option('--page <address>', serverUrl, { help: 'grafana: its address', variables: ['JOBLENS_PAGE'] }),
      grafanaToken: option('--grafana-token <token>', token(), {
        help: 'grafana: a token of a service account that is an admin; prefer the variable',
        variables: ['GRAFANA_TOKEN'],
        isSecret: true,
      }),
      readToken: option('--read-token <token>', token(), {
        help: 'grafana: with which it reads: a token, or the password of --read-user; prefer the variable',
        variables: ['JOBLENS_READ_TOKEN'],
        isSecret: true,
      }),
      readUser: option('--read-user <name>', nonEmptyText, { help: 'grafana: the user of InfluxDB 1.x that reads' }),
      gateway: option('--gateway <address>', serverUrl, {
        help: 'grafana: the joblens gateway that Grafana asks instead of InfluxDB',
      }),
      secret: option(undefined, token(), {
        help: 'grafana: the secret of --gateway',
        variables: ['JOBLENS_GATEWAY_SECRET'],
        isSecret: true,
      }),
      secretFile: option('--secret-file <file>', nonEmptyText, { help: 'grafana: the file that holds that secret' }),
      renew: toggle('--renew', { help: 'grafana: write the token or secret again, which Grafana does not tell' }),
      watch: toggle('--watch', { help: 'slurm: the unit of joblens watch, which logs all jobs' }),
      submit: toggle('--submit', { help: 'slurm: job_submit.lua, for users who submit with --comment=joblens' }),
      wrapAll: toggle('--wrap-all', { help: 'slurm: with --submit, wrap the scripts of all users' }),
      taskProlog: toggle('--task-prolog', { help: 'slurm: a TaskProlog that puts joblens on the PATH of each task' }),
      hooks: toggle('--hooks', {
        help: 'slurm: slurmctld tells the watch of jobs that start and end, in place of polling',
      }),
      hookFile: option('--hook-file <file>', absolutePath, {
        help: 'slurm: with --hooks, where it writes; the folder is made',
        variables: ['JOBLENS_HOOK_FILE'],
        default: DEFAULT_HOOK_FILE,
      }),
      undo: toggle('--undo', { help: 'slurm: take away what was set up: the ways that are named, or all' }),
      slurmConf: option('--slurm-conf <file>', absolutePath, {
        help: 'slurm: its slurm.conf',
        variables: ['SLURM_CONF'],
        shownDefault: '/etc/slurm/slurm.conf',
      }),
      command: option('--command <path>', absolutePath, {
        help: 'slurm: where joblens is on the nodes',
        shownDefault: 'as here',
      }),
      units: option('--units <dir>', absolutePath, {
        help: "slurm: the folder of systemd's units",
        default: '/etc/systemd/system',
      }),
    },
  },
  shared: [SERVER, OTHER],
  examples: [
    'INFLUX_TOKEN=… joblens setup influxdb --url http://influxdb:8086 --org joblens --retention 52w --dry-run',
    'INFLUX_TOKEN=… joblens setup influxdb --url http://influxdb:8086 --org joblens --to /etc/joblens',
    'INFLUX_USER=admin INFLUX_PASSWORD=… joblens setup influxdb --url http://influxdb:8086 --database joblens',
    'GRAFANA_TOKEN=… JOBLENS_READ_TOKEN=… joblens setup grafana --page https://grafana.example',
    'GRAFANA_TOKEN=… joblens setup grafana --page https://grafana.example --gateway http://gw:8087 --secret-file FILE',
    'joblens setup slurm --watch --hooks --dry-run',
    'joblens setup slurm --submit --task-prolog --command /shared/apps/joblens/bin/joblens',
    'joblens setup slurm --undo',
  ],
  remarks: `
influxdb  the database of InfluxDB 1.x, or the organisation and bucket of 2.x:
          how long it keeps points, the mapping for InfluxQL, and what may only
          read it (for Grafana) or only write it (for joblens): tokens, or users
          where InfluxDB 1.x asks for passwords. Needs a token, or a user, that
          may do everything.
grafana   the data sources, a folder and the dashboards, over Grafana's API; the
          files of the plugin have to be there. --url is the address of InfluxDB
          as Grafana reaches it; --read-token may only read. With --gateway, it
          gets the gateway's secret instead, and no token.
slurm     the ways to log that are named; run it on the machine of slurmctld.
          slurm.conf gets whole lines between marks, after Slurm itself has read
          the new text, and a copy of the old one stays beside it. Says which
          commands let Slurm and systemd read the files again; runs none.

Nothing is removed, but by --undo what setup slurm has made. Each change of a
file is shown as a unified diff.

Prints a line for each thing: made, changed or kept. Without --to it prints the
tokens of InfluxDB, too.

Exit code: 0; 1 when something could not be set up; 2 when the options are
wrong.`,
  findMistake(own, _settings, [what = '', ...more]) {
    const isKnown = WHAT.some((each) => each === what);
    if (!isKnown || more.length > 0)
      return `give what to set up: ${WHAT.join(', ')}${isKnown ? '' : suggestNearest(what, WHAT)}`;
    return what === 'slurm' ? findSlurmMistake(own) : findStrayOption(own, what);
  },
  async start(session, { dryRun, ...own }, [what]) {
    const changes = new Changes(session.host.writeStdout, dryRun);
    try {
      if (what === 'grafana') {
        const { setUpGrafana } = await import('./grafana/setup-grafana.js');
        const reader = { user: own.readUser, secret: own.readToken, isRenewed: own.renew };
        await setUpGrafana(session, { ...own, reader, gateway: findGateway(own) }, changes);
      } else if (what === 'slurm') {
        const { setUpSlurm } = await import('./slurm/setup-slurm.js');
        await setUpSlurm(session, { ...own, isUndone: own.undo, siteFolder: own.to, unitFolder: own.units }, changes);
      } else {
        const { setUpInfluxdb } = await import('./influxdb/setup-influxdb.js');
        await setUpInfluxdb(session, { folder: own.to, retentionS: own.retention, shardS: own.shard }, changes);
      }
      if (changes.count === 0 && own.undo) session.host.writeStdout('There is nothing to take away.\n');
      else if (changes.count === 0) session.host.writeStdout('Everything was set up already.\n');
      else if (dryRun) session.host.writeStdout('Nothing was changed: this was a dry run.\n');
      return 0;
    } catch (error) {
      if (!(error instanceof SetupError)) throw error;
      session.report.error(error.message);
      return 1;
    }
  },
});

interface GatewayOptions {
  readonly gateway: string | undefined;
  readonly secret: string | undefined;
  readonly secretFile: string | undefined;
}

function findGateway({ gateway, ...own }: GatewayOptions): Gateway | undefined {
  if (gateway === undefined) return undefined;
  const secret = readSecret(own);
  if (!secret.ok) throw new SetupError(secret.error);
  if (secret.value === undefined) throw new SetupError('set JOBLENS_GATEWAY_SECRET, or give --secret-file');
  return { url: gateway, secret: secret.value };
}

interface SlurmOptions {
  readonly watch: boolean;
  readonly submit: boolean;
  readonly taskProlog: boolean;
  readonly hooks: boolean;
  readonly wrapAll: boolean;
  readonly undo: boolean;
}

function findSlurmMistake({ wrapAll, undo, ...ways }: SlurmOptions): string | undefined {
  const { watch, submit, taskProlog, hooks } = ways;
  if (![watch, submit, taskProlog, hooks, undo].includes(true))
    return 'name a way to log: --watch, --submit, --task-prolog or --hooks';
  return wrapAll && !submit ? '--wrap-all needs --submit' : undefined;
}

function findStrayOption(
  { watch, submit, taskProlog, hooks, wrapAll, undo }: SlurmOptions,
  what: string
): string | undefined {
  const isStray = [watch, submit, taskProlog, hooks, wrapAll, undo].includes(true);
  return isStray
    ? `--watch, --submit, --wrap-all, --task-prolog, --hooks and --undo are for slurm, not for ${what}`
    : undefined;
}
