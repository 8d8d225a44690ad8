import { createHash } from 'node:crypto';
import { createRemoteJWKSet, errors, type JWTPayload, jwtVerify, type JWTVerifyGetKey } from 'jose';
import { err, ok, type Result } from '@joblens/core/result/result';
import { z } from 'zod';
import type { Clock } from '../clock/clock.js';
import { type Fault, refuse } from './fault.js';
import { type IdentityWay, readUserName, WRONG_NAME } from './identity.js';

/** A signer whose tokens are believed. */
interface Signer {
  readonly jwksUrl: string;
  readonly issuer: string;
  readonly audience: string;
}

interface OidcOptions extends Signer {
  readonly userClaim: string;
  readonly groupsClaim: string;
}

const CLOCK_SKEW_S = 30;
const ASK_TIMEOUT_MS = 5000;
/** Keys of a public kind alone: no text that others know is a key, and `none` is none. */
const OIDC_ALGORITHMS: readonly string[] = ['RS256', 'PS256', 'ES256', 'ES384', 'EdDSA'];
const GRAFANA_ALGORITHMS: readonly string[] = ['ES256'];
const MAX_TOKEN_CHARS = 16_384;
const MAX_GROUPS = 1000;
/** Tokens that were verified, by their hashes: Grafana sends one with every request of ten minutes. */
const MAX_VERIFIED = 1000;

/**
 * The user of X-Grafana-Id: a token that Grafana signs for its plugins (pkg/services/auth/idimpl/service.go: iss is its
 * root_url, aud `org:ID`; claims username, role, type).
 */
export function createGrafanaIdWay(signer: Signer, loginSuffix: string, clock: WallClock): IdentityWay {
  const verify = createVerifier(signer, GRAFANA_ALGORITHMS, 'X-Grafana-Id', clock);
  return async ({ 'x-grafana-id': token }) => {
    if (token === undefined) return ok(undefined);
    const verified = await verify(token);
    if (!verified.ok) return verified;
    const { username, type, role } = verified.value;
    if (type !== undefined && type !== 'user') return err(refuse(401, 'no-user', 'X-Grafana-Id is not that of a user'));
    const user = readUserName(username, loginSuffix);
    if (user === undefined) return err(WRONG_NAME);
    return ok({ user, groups: [], isGrafanaAdmin: role === 'Admin', way: 'grafana-id', isHost: false });
  };
}

/** The user and groups of an identity provider's token: in X-ID-Token (Grafana's oauthPassThru), or as Bearer. */
export function createOidcWay(options: OidcOptions, loginSuffix: string, clock: WallClock): IdentityWay {
  const verify = createVerifier(options, OIDC_ALGORITHMS, "the identity provider's token", clock);
  return async ({ 'x-id-token': idToken, authorization = '' }) => {
    const token = idToken ?? /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(authorization)?.[1];
    if (token === undefined) return ok(undefined);
    const verified = await verify(token);
    if (!verified.ok) return verified;
    const user = readUserName(verified.value[options.userClaim], loginSuffix);
    if (user === undefined) return err(WRONG_NAME);
    const groups = readGroups(verified.value[options.groupsClaim]);
    return ok({ user, groups, isGrafanaAdmin: false, way: 'oidc', isHost: false });
  };
}

function readGroups(claim: unknown): readonly string[] {
  if (!Array.isArray(claim)) return [];
  return claim.filter((group): group is string => typeof group === 'string').slice(0, MAX_GROUPS);
}

type WallClock = Pick<Clock, 'nowMs'>;
type Verify = (token: string) => Promise<Result<JWTPayload, Fault>>;

function createVerifier(signer: Signer, algorithms: readonly string[], name: string, clock: WallClock): Verify {
  const keys = createRemoteJWKSet(new URL(signer.jwksUrl), { timeoutDuration: ASK_TIMEOUT_MS });
  const verified = new Map<string, JWTPayload>();
  return async (token) => {
    if (token.length > MAX_TOKEN_CHARS) return err(refuse(401, 'wrong-signature', `${name} is too long`));
    const hash = createHash('sha256').update(token).digest('base64');
    const known = verified.get(hash);
    if (known !== undefined && clock.nowMs() < (known.exp ?? 0) * 1000) return ok(known);
    verified.delete(hash);
    const payload = await verifyToken(token, keys, signer, algorithms, name);
    if (!payload.ok) return payload;
    verified.set(hash, payload.value);
    for (const [oldest] of verified) if (verified.size > MAX_VERIFIED) verified.delete(oldest);
    return payload;
  };
}

async function verifyToken(
  token: string,
  keys: JWTVerifyGetKey,
  { issuer, audience }: Signer,
  algorithms: readonly string[],
  name: string
): Promise<Result<JWTPayload, Fault>> {
  try {
    const rules = { issuer, audience, algorithms: [...algorithms], clockTolerance: CLOCK_SKEW_S };
    const { payload } = await jwtVerify(token, keys, { ...rules, requiredClaims: ['exp'] });
    return ok(payload);
  } catch (error) {
    if (error instanceof errors.JWTExpired) return err(refuse(401, 'expired', `${name} has expired: log in again`));
    if (error instanceof errors.JWTClaimValidationFailed) {
      return err(
        refuse(401, 'wrong-claim', `${name} is not meant for this gateway: its claim ${error.claim} is wrong`)
      );
    }
    if (isUnreachable(error)) {
      return err(refuse(503, 'no-keys', `the keys that ${name} is checked with cannot be had: try again`));
    }
    return err(refuse(401, 'wrong-signature', `${name} is not signed by who may sign it`));
  }
}

function isUnreachable(error: unknown): boolean {
  return (
    error instanceof errors.JWKSTimeout || !(error instanceof errors.JOSEError) || error.code === 'ERR_JOSE_GENERIC'
  );
}

const DISCOVERED = z.object({ issuer: z.string(), jwks_uri: z.url() });

/** Asks the issuer where its keys are (OpenID Connect Discovery 1.0, section 4). The error is one line for the user. */
export async function findJwksUrl(issuer: string): Promise<Result<string, string>> {
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  try {
    const answer = await fetch(address, { signal: AbortSignal.timeout(ASK_TIMEOUT_MS), redirect: 'error' });
    const found = DISCOVERED.safeParse(await answer.json());
    if (found.success && found.data.issuer === issuer) return ok(found.data.jwks_uri);
    return err(`${address} does not say where the keys of ${issuer} are; give --oidc-jwks`);
  } catch (error) {
    return err(`cannot ask ${address}: ${error instanceof Error ? error.message : String(error)}; give --oidc-jwks`);
  }
}
