import { toVisibleText } from '@joblens/core/console/terminal-text';
import type { SessionOptions } from '../session/session-options.js';
import { findTokensPath } from './tokens-path.js';
import { createToken, type KeptToken, readTokens, writeTokens } from './user-tokens.js';

interface TokenOptions {
  readonly user: readonly string[];
  readonly host: readonly string[];
  readonly daysMs: number | undefined;
  readonly note: string | undefined;
  readonly tokens: string | undefined;
}

/** Makes, lists or revokes tokens. Returns the exit code. */
export async function changeTokens(
  { host, report }: SessionOptions,
  own: TokenOptions,
  what: 'create' | 'list' | 'revoke',
  ids: readonly string[]
): Promise<number> {
  const path = own.tokens ?? findTokensPath(host);
  const known = await readTokens(path);
  const fail = (message: string): number => {
    report.error(message);
    return 1;
  };
  if (!known.ok) return fail(known.error);
  if (what === 'list') {
    for (const token of known.value) host.writeStdout(`${formatToken(token)}\n`);
    return 0;
  }
  if (what === 'create') {
    const made = createTokens(own, host.clock.nowMs());
    const written = await writeTokens(path, [...known.value, ...made.map(({ kept }) => kept)], host.machine.pid);
    if (!written.ok) return fail(written.error);
    for (const { kept, token } of made)
      host.writeStdout(`${kept.id}\t${kept.kind}\t${toVisibleText(kept.name)}\t${token}\n`);
    return 0;
  }
  const missing = ids.find((id) => !known.value.some((token) => token.id === id));
  if (missing !== undefined) return fail(`there is no token ${JSON.stringify(missing)}; nothing was revoked`);
  const left = known.value.filter(({ id }) => !ids.includes(id));
  const written = await writeTokens(path, left, host.machine.pid);
  return written.ok ? 0 : fail(written.error);
}

function createTokens({ user, host, daysMs, note }: TokenOptions, nowMs: number): ReturnType<typeof createToken>[] {
  const facts = {
    createdMs: nowMs,
    ...(daysMs !== undefined && { endsMs: nowMs + daysMs }),
    ...(note !== undefined && { note }),
  };
  return [
    ...user.map((name) => createToken({ kind: 'user', name, ...facts })),
    ...host.map((name) => createToken({ kind: 'host', name, ...facts })),
  ];
}

function formatToken({ id, kind, name, createdMs, endsMs, note }: KeptToken): string {
  const ends = endsMs === undefined ? 'until revoked' : `until ${formatDay(endsMs)}`;
  return [id, kind, name, `since ${formatDay(createdMs)}`, ends, note ?? ''].map(toVisibleText).join('\t').trimEnd();
}

function formatDay(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 10);
}
