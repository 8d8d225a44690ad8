import type { IncomingMessage } from 'node:http';
import { err, ok, type Result } from '@joblens/core/result/result';
import { createSecretCheck } from '../net/http-access.js';
import { type Fault, refuse } from './fault.js';

/** Who asks, as one of the ways to know it says. */
export interface Identity {
  readonly user: string;
  /** Groups that the way itself tells. */
  readonly groups: readonly string[];
  /** Grafana signed that the user has the role Admin. */
  readonly isGrafanaAdmin: boolean;
  /** For audit lines. */
  readonly way: 'grafana' | 'grafana-id' | 'oidc' | 'token';
  /** A host writes for all users, and reads nothing. */
  readonly isHost: boolean;
}

type Headers = Readonly<Record<string, string | undefined>>;

/** One way to know who asks: undefined where the request does not use it. */
export type IdentityWay = (headers: Headers) => Promise<Result<Identity | undefined, Fault>>;

const SECRET = 'x-joblens-secret';
const GRAFANA_USER = 'x-grafana-user';
/** All headers that say who asks: none may come twice. */
const HEADERS = [SECRET, GRAFANA_USER, 'x-grafana-id', 'x-id-token', 'authorization'] as const;
const MAX_NAME_LENGTH = 256;

const NOBODY = refuse(
  401,
  'no-identity',
  'nothing says who asks: Grafana needs send_user_header = true and the shared secret, others need a token of their own (Authorization: Token …)'
);

/** Checks every identity that a request shows: all must be right, and be of one user. */
export async function identify(
  request: Pick<IncomingMessage, 'headersDistinct'>,
  ways: readonly IdentityWay[]
): Promise<Result<Identity, Fault>> {
  const headers = readHeaders(request);
  if (!headers.ok) return headers;
  const shown: Identity[] = [];
  for (const way of ways) {
    const found = await way(headers.value);
    if (!found.ok) return found;
    if (found.value !== undefined) shown.push(found.value);
  }
  const [first] = shown;
  if (first === undefined) return err(headers.value[GRAFANA_USER] === undefined ? NOBODY : UNPROVEN);
  if (shown.some(({ user, isHost }) => user !== first.user || isHost !== first.isHost)) {
    return err(refuse(400, 'two-identities', 'the headers of the request name two different users'));
  }
  return ok({
    ...first,
    groups: shown.flatMap(({ groups }) => groups),
    isGrafanaAdmin: shown.some(({ isGrafanaAdmin }) => isGrafanaAdmin),
  });
}

const UNPROVEN = refuse(401, 'no-identity', 'X-Grafana-User counts only beside the shared secret in X-Joblens-Secret');

/** The name that Grafana gives in X-Grafana-User (send_user_header), beside the secret that only it knows. */
export function createGrafanaWay(secret: string, loginSuffix: string): IdentityWay {
  const isSecret = createSecretCheck(secret);
  return (headers) => {
    const shown = headers[SECRET];
    if (shown === undefined) return Promise.resolve(ok(undefined));
    if (!isSecret(shown)) {
      return Promise.resolve(err(refuse(401, 'wrong-secret', 'the secret in X-Joblens-Secret is wrong')));
    }
    const login = headers[GRAFANA_USER];
    if (login === undefined) return Promise.resolve(ok(undefined));
    // Node reads headers as Latin-1, and Grafana sends logins as UTF-8.
    const user = readUserName(Buffer.from(login, 'latin1').toString(), loginSuffix);
    return Promise.resolve(
      user === undefined
        ? err(WRONG_NAME)
        : ok({ user, groups: [], isGrafanaAdmin: false, way: 'grafana', isHost: false })
    );
  };
}

export const WRONG_NAME = refuse(
  401,
  'wrong-name',
  'the name of the user is empty, too long, or has control characters'
);

/** The user of a login, without what all logins have behind it (`@example.org`); undefined where it can be no name. */
export function readUserName(login: unknown, suffix: string): string | undefined {
  if (typeof login !== 'string' || login.length > MAX_NAME_LENGTH) return undefined;
  const name = suffix !== '' && login.endsWith(suffix) ? login.slice(0, -suffix.length) : login;
  return name === '' || /[\p{Cc}\ufffd]/u.test(name) ? undefined : name;
}

function readHeaders({ headersDistinct }: Pick<IncomingMessage, 'headersDistinct'>): Result<Headers, Fault> {
  const found: Record<string, string | undefined> = {};
  for (const name of HEADERS) {
    const [value, more] = headersDistinct[name] ?? [];
    if (more !== undefined) return err(refuse(400, 'repeated-header', `the header ${name} is given twice`));
    found[name] = value;
  }
  return ok(found);
}
