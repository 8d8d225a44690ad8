import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { suggest, type Suggestion } from '@joblens/core/lines/suggest';
import { formatMetadataKind } from '@joblens/core/lines/metadata-kind';
import { compilePattern } from '../rules/options/compile-pattern.js';
import { replaceControls, toVisibleText } from '@joblens/core/console/terminal-text';
import { readCharset, showUnknown } from '../host/charset.js';
import { describeFileError } from '../host/file-error.js';
import type { Host } from '../host/host.js';
import { showJson } from '../host/show-json.js';
import { renderLines } from './rendered-lines.js';

export interface SuggestCommand {
  /** `-` for standard input. */
  readonly path: string;
  readonly isJson: boolean;
  readonly onFault: (message: string) => void;
}

const MAX_BYTES = 64 * 2 ** 20;
const MAX_EXAMPLE_CHARS = 160;
const MAX_NAMES = 12;

/** Prints the patterns of a job's output that could become graphs. Returns the exit code. */
export async function suggestFrom(host: Host, { path, isJson, onFault }: SuggestCommand): Promise<number> {
  let output: Buffer;
  try {
    output = path === '-' ? await readAll(host.openStdin() as AsyncIterable<Buffer>) : await readEnd(path);
  } catch (error) {
    onFault(`cannot read ${path}: ${explainFault(error, path)}`);
    return 1;
  }
  return printSuggestions(host, renderLines(output), isJson);
}

/** Prints the patterns in the lines of a job that could become graphs. Returns the exit code. */
export function printSuggestions(
  host: Pick<Host, 'environment' | 'writeStdout'>,
  lines: readonly string[],
  isJson: boolean
): number {
  const suggestions = suggest(lines, { compile: compilePattern });
  const text = isJson ? formatJson(suggestions) : showUnknown(formatText(suggestions), readCharset(host.environment));
  host.writeStdout(text);
  return suggestions.length === 0 ? 1 : 0;
}

function explainFault(error: unknown, path: string): string {
  if ((error as NodeJS.ErrnoException).code !== 'EISDIR') return describeFileError(error);
  const example = path === '-' ? 'slurm-123.out' : join(path, 'slurm-123.out');
  return `it is a folder; give a file with what one job printed, such as ${example}`;
}

/** The end of a stream that has no size, such as a pipe. */
async function readAll(chunksRead: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of chunksRead) {
    chunks.push(chunk);
    bytes += chunk.length;
    while (bytes - (chunks[0]?.length ?? 0) > MAX_BYTES) bytes -= chunks.shift()?.length ?? 0;
  }
  return Buffer.concat(chunks);
}

async function readEnd(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const stat = await file.stat();
    if (!stat.isFile() && !stat.isDirectory()) {
      return await readAll(file.createReadStream({ autoClose: false }) as AsyncIterable<Buffer>);
    }
    const start = Math.max(0, stat.size - MAX_BYTES);
    const buffer = Buffer.alloc(stat.size - start);
    const { bytesRead } = await file.read(buffer, 0, buffer.length, start);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

function formatJson(suggestions: readonly Suggestion[]): string {
  const list = suggestions.map(({ rule, example, names, rows }) => ({
    ...{ rule, example, names, count: rows.length },
    rows: rows.map((row) => Object.fromEntries(row)),
  }));
  return showJson(`${JSON.stringify(list, undefined, 2)}\n`);
}

function formatText(suggestions: readonly Suggestion[]): string {
  if (suggestions.length === 0) return 'No numbers repeat in a way that a graph would show.\n';
  const parts = suggestions.map(({ rule, example, names, rows }, i) => {
    const more = names.length > MAX_NAMES ? `, and ${names.length - MAX_NAMES} more` : '';
    return [
      `${i + 1}. ${rows.length} rows: ${toVisibleText(names.slice(0, MAX_NAMES).join(', '))}${more}`,
      `   for example: ${toVisibleText(example.trim().slice(0, MAX_EXAMPLE_CHARS))}`,
      `   rule: ${replaceControls(formatMetadataKind(rule))}`,
    ].join('\n');
  });
  const rules = [...new Set(suggestions.map(({ rule }) => formatMetadataKind(rule)).filter((rule) => rule !== 'json'))];
  const advice =
    rules.length === 0
      ? 'These lines are metadata already.'
      : ['Put the rules that you want into ~/.logoptin, for example:', '', ...formatOptIn(rules.slice(0, 1))].join(
          '\n'
        );
  return `${parts.join('\n\n')}\n\n${advice}\n`;
}

function formatOptIn(rules: readonly string[]): readonly string[] {
  return ['metadata:', '  - json', ...rules.map((rule) => `  - ${replaceControls(rule)}`)];
}
