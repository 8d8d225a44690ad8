import { appendFileSync } from 'node:fs';
import { err, ok, type Result } from '@joblens/core/result/result';
import { withDeadline } from '../clock/deadline.js';
import type { Host } from '../host/host.js';
import type { Reporter } from '../host/report.js';
import { readSecret } from '../net/gateway-secret.js';
import { boundAddress, formatAddress, isLoopback, listen, type ListenAddress } from '../net/listen.js';
import { createAskStore } from '../read-back/shell/ask-store.js';
import type { SessionOptions } from '../session/session-options.js';
import type { InfluxConnection } from '../sinks/influxdb/connection.js';
import { type Engine, pingOnce } from '../sinks/influxdb/engine.js';
import { createAccessRules } from './access-rules.js';
import { createAudit } from './audit-log.js';
import { createGatewayServer, type GatewayOptions } from './gateway-server.js';
import { createGrafanaWay, type IdentityWay } from './identity.js';
import { readPlace } from './read-query.js';
import { SharedJobs } from './shared-jobs.js';
import { createStoreProxy } from './store-proxy.js';
import { findTokensPath } from './tokens-path.js';
import { createRunProgram, UserGroups } from './user-groups.js';
import { createTokenWay } from './user-tokens.js';
import { createWriter } from './write-points.js';

interface GatewaySettings {
  readonly listen: ListenAddress;
  readonly secret: string | undefined;
  readonly secretFile: string | undefined;
  readonly grafanaUrl: string | undefined;
  readonly grafanaOrg: string;
  readonly oidcIssuer: string | undefined;
  readonly oidcAudience: string | undefined;
  readonly oidcJwks: string | undefined;
  readonly oidcUser: string;
  readonly oidcGroups: string;
  readonly loginSuffix: string;
  readonly admin: readonly string[];
  readonly grafanaAdmins: boolean;
  readonly groups: readonly string[];
  readonly measurement: readonly string[];
  readonly audit: string | undefined;
  readonly tokens: string | undefined;
  readonly writeToken: string | undefined;
}

const AUDIT_FILE_MODE = 0o600;
const CLOSE_MS = 3000;
const ASK_MS = 10_000;

/** Answers until SIGINT or SIGTERM. Returns the exit code. */
export async function runGateway(session: SessionOptions, own: GatewaySettings): Promise<number> {
  const { host, report, settings } = session;
  if (settings.destination?.kind !== 'influxdb') {
    report.error('nothing says which store to stand before; set INFLUX_HOST, or give --url');
    return 1;
  }
  const stop = new AbortController();
  const stopped = new Promise<void>((resolve) => stop.signal.addEventListener('abort', () => resolve()));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) host.onSignal(signal, () => stop.abort());
  const opened = await openGateway(session, own, settings.destination.connection);
  if (!opened.ok) {
    report.error(opened.error);
    return 1;
  }
  const { options, groups, engine } = opened.value;
  const refreshing = groups.keepFresh(stop.signal);
  const server = createGatewayServer(options);
  const failure = await listen(server, own.listen);
  if (failure !== undefined) {
    report.error(`cannot listen on ${formatAddress(own.listen)}: ${failure}; give another --listen HOST:PORT`);
    return 1;
  }
  const url = `http://${formatAddress(boundAddress(server, own.listen))}`;
  report.info(`answering ${url}/query for ${engine.name} at ${settings.destination.connection.url}`);
  if (!isLoopback(own.listen))
    report.warn('other machines can reach it: let only Grafana through, and put TLS before it');
  await stopped;
  await withDeadline(CLOSE_MS, [], (late) => {
    late.addEventListener('abort', () => server.closeAllConnections());
    return new Promise<void>((resolve) => void server.close(() => resolve()));
  });
  await refreshing;
  options.store.close();
  return 0;
}

interface Opened {
  readonly options: GatewayOptions;
  readonly groups: UserGroups;
  readonly engine: Engine;
}

async function openGateway(
  { host, report }: SessionOptions,
  own: GatewaySettings,
  connection: InfluxConnection
): Promise<Result<Opened, string>> {
  const ways = await listWays(own, host, report);
  if (!ways.ok) return ways;
  const found = await findStore(connection);
  if (!found.ok) return found;
  const { clock } = host;
  const groups = new UserGroups({ sources: own.groups, clock, report, runProgram: createRunProgram(host.environment) });
  const place = readPlace(connection.bucket);
  const nowMs = (): number => clock.nowMs();
  const audit = own.audit;
  const write =
    audit === undefined ? host.writeStderr : (line: string) => appendFileSync(audit, line, { mode: AUDIT_FILE_MODE });
  return ok({
    groups,
    engine: found.value.engine,
    options: {
      ...{ place, clock, report, storeHeaders: found.value.headers, measurements: own.measurement },
      ways: ways.value,
      store: createStoreProxy(connection),
      rightsOf: createAccessRules({
        admins: own.admin,
        trustsGrafanaAdmins: own.grafanaAdmins,
        directory: groups,
        shares: new SharedJobs({ ask: createAskStore(connection), clock, report }),
      }),
      takeWrite:
        own.writeToken === undefined
          ? undefined
          : createWriter({
              connection: { ...connection, token: own.writeToken },
              engine: found.value.engine,
              place,
              clock,
            }),
      audit: createAudit(write, nowMs),
    },
  });
}

/** All ways to know who asks that are set up; without any, nobody would be answered. */
async function listWays(
  own: GatewaySettings,
  host: Host,
  report: Reporter
): Promise<Result<readonly IdentityWay[], string>> {
  const secret = readSecret(own);
  if (!secret.ok) return secret;
  const { clock } = host;
  const { loginSuffix, grafanaUrl, oidcIssuer } = own;
  const tokensPath = own.tokens ?? findTokensPath(host);
  const ways: IdentityWay[] = [
    createTokenWay({ path: tokensPath, nowMs: () => clock.nowMs(), warn: (message) => report.warn(message) }),
  ];
  if (secret.value !== undefined) ways.push(createGrafanaWay(secret.value, loginSuffix));
  if (grafanaUrl === undefined && oidcIssuer === undefined) return ok(ways);
  const { createGrafanaIdWay, createOidcWay, findJwksUrl } = await import('./signed-identity.js');
  if (grafanaUrl !== undefined) {
    const signer = { jwksUrl: `${grafanaUrl.replace(/\/$/, '')}/api/signing-keys/keys`, issuer: grafanaUrl };
    ways.push(createGrafanaIdWay({ ...signer, audience: `org:${own.grafanaOrg}` }, loginSuffix, clock));
  }
  if (oidcIssuer !== undefined) {
    const jwksUrl = own.oidcJwks === undefined ? await findJwksUrl(oidcIssuer) : ok(own.oidcJwks);
    if (!jwksUrl.ok) return jwksUrl;
    const signer = { jwksUrl: jwksUrl.value, issuer: oidcIssuer, audience: own.oidcAudience ?? '' };
    ways.push(createOidcWay({ ...signer, userClaim: own.oidcUser, groupsClaim: own.oidcGroups }, loginSuffix, clock));
  }
  return ok(ways);
}

const PASSED_HEADERS = ['x-influxdb-version', 'x-influxdb-build'] as const;

/** The engine behind, and the headers by which clients know it. The error is one line for the user. */
async function findStore(
  connection: InfluxConnection
): Promise<Result<{ readonly engine: Engine; readonly headers: Readonly<Record<string, string>> }, string>> {
  try {
    const { engine, answer } = await pingOnce(connection, AbortSignal.timeout(ASK_MS));
    const named = PASSED_HEADERS.map((name) => [name, String(answer.headers[name] ?? '')] as const);
    return ok({ engine, headers: Object.fromEntries(named.filter(([, value]) => value !== '')) });
  } catch (error) {
    const found = error instanceof Error ? error.message.replace(/\s+/g, ' ') : String(error);
    return err(`cannot ask ${connection.url}: ${found}; check INFLUX_HOST`);
  }
}
