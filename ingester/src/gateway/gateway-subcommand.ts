import { list, option, toggle } from '../config/option.js';
import { OTHER, STORE } from '../config/shared-options.js';
import { anyText, listenAddress, nonEmptyText, serverUrl, token } from '../config/value-types.js';
import { defineSubcommand } from '../session/subcommand.js';
import { MIN_SECRET_CHARS } from '../net/gateway-secret.js';

export const GATEWAY = defineSubcommand({
  name: 'gateway',
  summary: 'Stand between Grafana and InfluxDB, so that each user sees only their own jobs, until SIGTERM or Ctrl+C.',
  own: {
    title: 'Who asks, and who may see what:',
    options: {
      listen: option('--listen <address>', listenAddress, {
        help: 'HOST:PORT, or PORT for this machine only: where only Grafana reaches it',
        default: '127.0.0.1:8087',
      }),
      secret: option(undefined, token(), {
        help: 'shared secret, at least 16 characters, that Grafana shows in X-Joblens-Secret beside X-Grafana-User',
        variables: ['JOBLENS_GATEWAY_SECRET'],
        isSecret: true,
      }),
      secretFile: option('--secret-file <file>', nonEmptyText, { help: 'the file that holds that secret' }),
      grafanaUrl: option('--grafana-url <address>', serverUrl, {
        help: "Grafana's root_url: the signed X-Grafana-Id counts",
      }),
      grafanaOrg: option('--grafana-org <id>', nonEmptyText, { help: 'of which organisation', default: '1' }),
      oidcIssuer: option('--oidc-issuer <address>', serverUrl, {
        help: "identity provider whose tokens count: X-ID-Token (Grafana's oauthPassThru), or Bearer",
      }),
      oidcAudience: option('--oidc-audience <id>', nonEmptyText, { help: 'client for which they must be meant' }),
      oidcJwks: option('--oidc-jwks <address>', serverUrl, {
        help: 'its keys',
        shownDefault: 'as the issuer says',
      }),
      oidcUser: option('--oidc-user <claim>', nonEmptyText, {
        help: 'claim with the name of the user',
        default: 'preferred_username',
      }),
      oidcGroups: option('--oidc-groups <claim>', nonEmptyText, { help: 'claim with the groups', default: 'groups' }),
      loginSuffix: option('--login-suffix <text>', anyText, {
        help: 'what logins have behind the name of the user, e.g. @example.org',
        default: '',
      }),
      admin: list('--admin <name>', nonEmptyText, {
        help: 'a user, or group:NAME, who sees all, with an audit line for each query; repeat it for more',
      }),
      grafanaAdmins: toggle('--grafana-admins', { help: 'the role Admin in X-Grafana-Id sees all, too' }),
      groups: list('--groups <where>', nonEmptyText, {
        help: 'groups: system (getent), slurm (accounts, whose coordinators see them), or a file like /etc/group',
      }),
      measurement: list('--measurement <name>', nonEmptyText, {
        help: 'a measurement of other programs whose tag user says whose a point is; repeat it for more',
      }),
      audit: option('--audit <file>', nonEmptyText, {
        help: 'file for what was refused, and for what admins asked',
        shownDefault: 'standard error',
      }),
      tokens: option('--tokens <file>', nonEmptyText, {
        help: 'file of joblens token',
        variables: ['JOBLENS_GATEWAY_TOKENS'],
        shownDefault: '~/.local/state/joblens/gateway-tokens.json',
      }),
      writeToken: option(undefined, token(), {
        help: 'token of the store that may write: then the gateway takes points, too, for the tokens of joblens token',
        variables: ['JOBLENS_GATEWAY_WRITE_TOKEN'],
        isSecret: true,
      }),
    },
  },
  shared: [STORE, OTHER],
  examples: [
    'JOBLENS_GATEWAY_SECRET=… INFLUX_TOKEN=… joblens gateway --url http://influxdb:8086 --listen 0.0.0.0:8087',
    'joblens gateway --groups system --groups slurm --admin group:hpc-staff --audit /var/log/joblens-audit.jsonl',
    'joblens gateway --grafana-url https://grafana.example --grafana-admins',
  ],
  remarks: `
Point Grafana's data source at its address instead of InfluxDB's, and set
send_user_header = true in the section [dataproxy] of grafana.ini. Then each
viewer sees their own jobs, and those that were shared with them. INFLUX_TOKEN
is one that may only read; users never get it.

Who asks is known by X-Grafana-User beside the shared secret, by Grafana's
signed X-Grafana-Id, by a token of an identity provider, or by a user's own
token (joblens token). Every identity that a request shows must be right, and
all must be of one user. Without any, the answer is 401.

It answers /query with InfluxQL, /ping and /health, and /write if it may.
Statements are parsed, restricted and written anew; whatever is not understood
is refused with 403 and the name of the rule. It keeps no answers.

The users of Grafana must not choose their own login: docs/gateway.md.

Exit code: 0; 1 when the address cannot be used or the store does not answer;
2 when the options are wrong.`,
  findMistake({ secret, secretFile, oidcIssuer, oidcAudience, grafanaAdmins, grafanaUrl, listen }) {
    if (listen === undefined) return 'give --listen HOST:PORT: off is no address';
    if (secret !== undefined && secretFile !== undefined) {
      return 'give the secret in JOBLENS_GATEWAY_SECRET or in --secret-file, not both';
    }
    if (secret !== undefined && secret.length < MIN_SECRET_CHARS) return SHORT_SECRET;
    if (oidcIssuer !== undefined && oidcAudience === undefined) return '--oidc-issuer needs --oidc-audience';
    if (grafanaAdmins && grafanaUrl === undefined)
      return '--grafana-admins needs --grafana-url: only a signed id tells roles';
    return undefined;
  },
  async start(session, { listen, ...own }) {
    const { runGateway } = await import('./gateway.js');
    return listen === undefined ? 2 : runGateway(session, { ...own, listen });
  },
});

const SHORT_SECRET = `JOBLENS_GATEWAY_SECRET must have at least ${MIN_SECRET_CHARS} characters: openssl rand -hex 24 makes one`;
