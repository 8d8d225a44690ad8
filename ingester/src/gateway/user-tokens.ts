import { createHash, randomBytes } from 'node:crypto';
import { readFile, rename, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isGone } from '@joblens/core/result/is-gone';
import { err, ok, type Result } from '@joblens/core/result/result';
import { z } from 'zod';
import { describeFileError } from '../host/file-error.js';
import { makeFolders } from '../host/make-folders.js';
import { isEqualConstantTime } from '../net/http-access.js';
import { refuse } from './fault.js';
import type { IdentityWay } from './identity.js';

const FILE_MODE = 0o600;
const PREFIX = 'joblens_';
const LOOK_MS = 1000;
const KEPT = z.array(
  z.object({
    id: z.string(),
    kind: z.enum(['user', 'host']),
    name: z.string(),
    sha256: z.string(),
    createdMs: z.number(),
    endsMs: z.number().optional(),
    note: z.string().optional(),
  })
);

/** A token as the file keeps it: its hash, which nobody can log in with. */
export type KeptToken = z.infer<typeof KEPT>[number];

/** 256 random bits: a plain hash of them cannot be turned back. */
export function createToken(facts: Pick<KeptToken, 'kind' | 'name' | 'createdMs' | 'endsMs' | 'note'>): {
  readonly token: string;
  readonly kept: KeptToken;
} {
  const id = randomBytes(6).toString('hex');
  const token = `${PREFIX}${id}_${randomBytes(32).toString('base64url')}`;
  return { token, kept: { id, ...facts, sha256: hash(token) } };
}

function hash(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** Reads the file; one that is not there has no tokens. The error is one line for the user. */
export async function readTokens(path: string): Promise<Result<readonly KeptToken[], string>> {
  try {
    const { mode } = await stat(path);
    if ((mode & 0o077) !== 0) return err(`others can read or write ${path}: chmod 600 it`);
    const kept = KEPT.safeParse(JSON.parse(await readFile(path, 'utf8')));
    return kept.success ? ok(kept.data) : err(`${path} is no file of joblens token`);
  } catch (error) {
    return isGone(error) ? ok([]) : err(`cannot read ${path}: ${describeFileError(error)}`);
  }
}

/** Writes the whole file anew, so that no reader finds half of it. */
export async function writeTokens(
  path: string,
  tokens: readonly KeptToken[],
  pid: number
): Promise<Result<true, string>> {
  const building = `${path}.${pid}`;
  try {
    await makeFolders(dirname(path));
    await writeFile(building, `${JSON.stringify(tokens, undefined, 2)}\n`, { mode: FILE_MODE, flag: 'wx' });
    await rename(building, path);
    return ok(true);
  } catch (error) {
    return err(`cannot write ${path}: ${describeFileError(error)}`);
  }
}

interface TokenWayOptions {
  readonly path: string;
  readonly nowMs: () => number;
  readonly warn: (message: string) => void;
}

/** A user's or host's own token, as InfluxDB's clients show theirs: Token, Bearer, or the password of Basic. */
export function createTokenWay({ path, nowMs, warn }: TokenWayOptions): IdentityWay {
  let known: ReadonlyMap<string, KeptToken> = new Map();
  let lookedMs = -Infinity;
  const look = async (): Promise<void> => {
    lookedMs = nowMs();
    const read = await readTokens(path);
    if (read.ok) known = new Map(read.value.map((kept) => [kept.id, kept]));
    else {
      known = new Map();
      warn(`${read.error}; no token counts`);
    }
  };
  return async ({ authorization }) => {
    const token = readShownToken(authorization);
    if (token === undefined) return ok(undefined);
    if (Math.abs(nowMs() - lookedMs) >= LOOK_MS) await look();
    const [, id = ''] = token.split('_');
    const kept = known.get(id);
    if (kept === undefined || !isEqualConstantTime(kept.sha256, hash(token)) || (kept.endsMs ?? Infinity) <= nowMs()) {
      return err(refuse(401, 'wrong-token', 'the token is wrong, has ended, or was revoked'));
    }
    const { kind, name: user } = kept;
    return ok({ user, groups: [], isGrafanaAdmin: false, way: 'token', isHost: kind === 'host' });
  };
}

/** Others' tokens are none of ours; where a data source has no password, Grafana sends an empty Basic. */
function readShownToken(authorization = ''): string | undefined {
  const [, scheme = '', value = ''] = /^(token|bearer|basic) +([^ ]+)$/i.exec(authorization) ?? [];
  const token =
    scheme.toLowerCase() === 'basic'
      ? Buffer.from(value, 'base64')
          .toString()
          .replace(/^[^:]*:/, '')
      : value;
  return token.startsWith(PREFIX) ? token : undefined;
}
