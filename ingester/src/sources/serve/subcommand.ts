import { list, option, toggle } from '../../config/option.js';
import { DESTINATION, OTHER, OUT, SPOOL } from '../../config/shared-options.js';
import { anyText, listenAddress, nonEmptyText, token } from '../../config/value-types.js';
import { defineSubcommand } from '../../session/subcommand.js';

export const SERVE = defineSubcommand({
  name: 'serve',
  summary: 'Receive line protocol on HTTP, UDP and TCP, keep it on disk, and send it on, until SIGTERM or Ctrl+C.',
  own: {
    title: 'Where points come in; each is HOST:PORT, PORT (this machine only) or off:',
    options: {
      // The defaults are those of Telegraf's influxdb_listener, and of the examples of its socket_listener.
      http: option('--http <address>', listenAddress, {
        help: 'POST /write and /api/v2/write',
        default: '127.0.0.1:8186',
      }),
      udp: option('--udp <address>', listenAddress, {
        help: 'datagrams of one or more lines',
        default: '127.0.0.1:8092',
      }),
      tcp: option('--tcp <address>', listenAddress, { help: 'lines', default: '127.0.0.1:8094' }),
      health: option('--health <address>', listenAddress, {
        help: 'GET /health and /metrics',
        variables: ['JOBLENS_HEALTH'],
        default: '127.0.0.1:8095',
      }),
      allowHost: list('--allow-host <name>', anyText, {
        help: 'a host name that HTTP clients use for it, e.g. that of a proxy; repeat it for more',
      }),
      serveToken: option(undefined, token(', or unset to ask for no token'), {
        help: 'token that serve asks HTTP clients for',
        variables: ['JOBLENS_SERVE_TOKEN'],
        isSecret: true,
        allowsEmpty: true,
      }),
      databases: list('--databases <name>', nonEmptyText, {
        help: 'another database or bucket that it answers to, or any; repeat it for more',
        shownDefault: 'the bucket that it writes to',
      }),
      jobTag: list('--job-tag <name>', nonEmptyText, {
        help: 'a tag that names the job of a point; repeat it for more, the first that a point has counts',
        shownDefault: 'job, job_id',
      }),
      user: option('--user <name>', nonEmptyText, {
        help: 'the user of points with a job and without a tag user',
        shownDefault: 'you',
        completes: 'user',
        isOwn: true,
      }),
      keepTypes: toggle('--keep-types', {
        help: 'keep integers and booleans',
        shownDefault: 'numbers become floats, everything else text',
      }),
    },
  },
  shared: [DESTINATION, OUT, SPOOL, OTHER],
  examples: [
    'joblens serve',
    'joblens serve --http 0.0.0.0:8186 --udp off --tcp off',
    "curl --data-binary 'temperature,host=node1 value=21.5' http://127.0.0.1:8186/write",
  ],
  remarks: `
Programs write to it as to InfluxDB 1.x or 2.x. HTTP answers 204 when the points
are on disk: then no crash loses them, and an InfluxDB that is away does not
either. UDP and TCP give no answers. While the spool is full, HTTP answers 503,
TCP senders wait, and UDP datagrams are dropped and counted. All points go to
the one bucket that this command writes to; a request that names another one is
refused, unless --databases has that name. The word any allows every name.

Times are nanoseconds unless the request says otherwise. A point without a time
gets one of its own. A TCP line ends with a newline. A line that is not a valid
point is kept with the reason in the file of --rejected, which grows to 64 MiB,
and the other lines go through. Of such a line over 8 KiB, only the beginning
and the length are kept. Reading a request stops after 10,000 such lines, or
when its gzip unpacks to more than 25 MB (or to 100 times its size).

A point with a tag job or job_id is a row of that job as well: its fields, and
value by the name of the measurement, are the columns of a table on the job's
page, and so are its other tags (docs/serve.md).

If JOBLENS_SERVE_TOKEN is set, HTTP requests must show it as InfluxDB's token or
password. UDP and TCP accept points from anyone who can reach them, so by
default nobody outside this machine can. Web pages of other origins are refused.
While only this machine can reach the HTTP address, so is every host name except
localhost and those of --allow-host.

Exit code: 0; 1 when points could not be sent or an address cannot be used; 2
when the options are wrong.`,
  findMistake({ http, udp, tcp }) {
    if (http !== undefined || udp !== undefined || tcp !== undefined) return undefined;
    return 'nothing to receive: leave one of --http, --udp and --tcp on';
  },
  async start(session, { allowHost, serveToken, keepTypes, databases, jobTag, user, ...addresses }) {
    const [{ serve }, { DEFAULT_JOB_TAGS }] = await Promise.all([
      import('./serve.js'),
      import('@joblens/core/metadata/point-row'),
    ]);
    const rowRules = {
      jobTags: jobTag.length === 0 ? DEFAULT_JOB_TAGS : jobTag,
      user: user ?? session.settings.source.user,
    };
    const rules = { allowedHosts: allowHost, token: serveToken, keepsTypes: keepTypes, databases, rowRules };
    return serve({ ...session, ...addresses, ...rules });
  },
});
