import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { ifThere } from '@joblens/core/result/is-gone';
import type { TextFacts } from '@joblens/core/experiment/manifest';
import { splitTextLines } from '@joblens/core/schema/text-point';
import { isSecretFile, type NamedSecrets } from '../secrets/named-secrets.js';
import { readHead, splitPatch } from './tree-patch.js';

const MAX_SCRIPT_BYTES = 2 ** 20;
const SHOWN_FILES = 5;

/** A patch as it may be stored. */
export interface KeptPatch {
  readonly text: string;
  /** What it lacks, in a few words. */
  readonly missing: string | undefined;
}

/** A patch without the files that hold secrets by their names, and with secrets in the others masked. */
export function keepPatch(patch: string, secrets: NamedSecrets): KeptPatch {
  const [kept, changed]: [string[], string[]] = [[], []];
  for (const section of splitPatch(Buffer.from(patch))) {
    const text = section.toString();
    const names = readHead(Buffer.from(text)).replace(/^diff --git /, '');
    const isSecret = names.split(' ').some((name) => isSecretFile(name.replace(/"$/, '')));
    const masked = isSecret ? '' : secrets.maskText(text);
    if (masked !== text) changed.push(names);
    kept.push(masked);
  }
  const more = changed.length > SHOWN_FILES ? `, and ${changed.length - SHOWN_FILES} more` : '';
  return {
    text: kept.join(''),
    missing: changed.length === 0 ? undefined : `secrets in ${changed.slice(0, SHOWN_FILES).join(', ')}${more}`,
  };
}

/**
 * The text of a script, unless it is large, no text, or one that holds secrets by its name. Throws when nobody can
 * tell.
 */
export function readScript(path: string | undefined, secrets: NamedSecrets): string | undefined {
  if (path === undefined || isSecretFile(path)) return undefined;
  const facts = ifThere(() => statSync(path));
  if (facts?.isFile() !== true || facts.size > MAX_SCRIPT_BYTES) return undefined;
  const bytes = readFileSync(path);
  return isUtf8(bytes) && !bytes.includes(0) ? secrets.maskText(bytes.toString()) : undefined;
}

/** The lines of a text as they are stored, and what the manifest says of them: each line ends with a newline. */
export function describeText(text: string): { readonly lines: readonly string[]; readonly facts: TextFacts } {
  const lines = splitTextLines(text);
  const stored = lines.map((line) => `${line}\n`).join('');
  return { lines, facts: { sha256: hashText(stored), lines: lines.length, bytes: Buffer.byteLength(stored) } };
}

/** The SHA-256 of a text or of bytes, in hexadecimal. */
export function hashText(text: string | Buffer): string {
  return createHash('sha256').update(text).digest('hex');
}
