import { readCharset, showOwnText } from '../host/charset.js';
import type { Host } from '../host/host.js';
import type { Finding } from './finding.js';

/** Prints a line for each finding. Returns whether none of them fails. */
export function printFindings(host: Pick<Host, 'environment' | 'writeStdout'>, findings: readonly Finding[]): boolean {
  const charset = readCharset(host.environment);
  for (const { state, name, message } of findings)
    host.writeStdout(showOwnText(`${state.padEnd(4)}  ${name.padEnd(10)}  ${message}\n`, charset));
  return findings.every(({ state }) => state !== 'fail');
}

/** The same as JSON lines. */
export function printJson(host: Pick<Host, 'writeStdout'>, findings: readonly Finding[]): boolean {
  for (const { state, name, message } of findings) host.writeStdout(`${JSON.stringify({ name, state, message })}\n`);
  return findings.every(({ state }) => state !== 'fail');
}
