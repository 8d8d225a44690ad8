import { parseMetadataLine } from '../metadata/parse-metadata.js';
import type { JsonValue } from '../schema/job-point.js';
import type { MetadataRow, NonfiniteOption } from '../table/metadata-row.js';
import { type CompilePattern, findRowCounter, readPatternRow } from './line-pattern.js';
import { createPlainReader, type LineReader, NO_ROW } from './line-reader.js';
import { parseLogfmt } from './logfmt.js';
import type { MetadataKind } from './metadata-kind.js';
import { isCountName } from './presets/forms/counted-numbers.js';
import { AUTO_PRESETS, findPreset } from './presets/presets.js';
import { parsePythonDict } from './python-dict.js';
import { findRequiredText } from './required-text.js';

export interface KindReaderOptions {
  readonly kinds: readonly MetadataKind[];
  readonly nonfinite: NonfiniteOption;
  readonly compile: CompilePattern;
  /** What `takeState` of a reader of the same kinds gave. */
  readonly state?: JsonValue | undefined;
}

/** A reader of lines of both streams. */
export interface KindReader extends LineReader {
  /** Reads lines of stderr: by the presets of `auto` alone, which know from both streams what came before. */
  readonly stderr: Pick<LineReader, 'read' | 'needles'>;
}

/** Reads lines of several kinds: the first kind that takes a line has it. */
export function createKindReader({ kinds, nonfinite, compile, state }: KindReaderOptions): KindReader {
  const states = Array.isArray(state) ? (state as readonly JsonValue[]) : [];
  const all = kinds.flatMap((kind) =>
    isAuto(kind)
      ? AUTO_PRESETS.map(({ name }) => ({ kind: { preset: name }, isOfAuto: true }))
      : [{ kind, isOfAuto: false }]
  );
  const readers = all.map(({ kind }, i) => createReaderOf(kind, nonfinite, compile, states[i] ?? undefined));
  return joinReaders(
    readers,
    readers.filter((_reader, i) => all[i]?.isOfAuto)
  );
}

function isAuto(kind: MetadataKind): boolean {
  return typeof kind === 'object' && 'preset' in kind && kind.preset === 'auto';
}

function createReaderOf(
  kind: MetadataKind,
  nonfinite: NonfiniteOption,
  compile: CompilePattern,
  state: JsonValue | undefined
): LineReader {
  if (kind === 'json') {
    return createPlainReader((line) => parseMetadataLine(line, { nonfinite }), []);
  }
  if (kind === 'python-dict') {
    return createPlainReader((line) => parsePythonDict(line, nonfinite), ["{'"]);
  }
  if (kind === 'logfmt') {
    return createPlainReader((line) => parseLogfmt(line.trimEnd()), ['=']);
  }
  if ('regex' in kind) {
    return createPatternReader(kind.regex, compile, state);
  }
  const reader = kind.preset === 'auto' ? undefined : findPreset(kind.preset).createReader(state);
  return reader === undefined
    ? createPlainReader(() => undefined, [])
    : { ...reader, read: (line) => reader.read(line.trimEnd()) };
}

/** An expression that does not compile was refused before; here it takes no line. */
function createPatternReader(source: string, compile: CompilePattern, state: JsonValue | undefined): LineReader {
  const compiled = compile(source);
  if (!compiled.ok) {
    return createPlainReader(() => undefined, []);
  }
  const text = findRequiredText(source);
  const read = (line: string): MetadataRow | undefined =>
    text !== undefined && !line.includes(text) ? undefined : readPatternRow(compiled.value, line.trimEnd());
  const counts = compiled.value.names.filter(isCountName);
  const reader: LineReader = {
    ...createPlainReader(read, text === undefined ? undefined : [text]),
    counters: () => (counts.length === 0 ? undefined : counts),
  };
  const counter = findRowCounter(source);
  return counter === undefined ? reader : numberRows(reader, counter, state);
}

function numberRows(reader: LineReader, name: string, state: JsonValue | undefined): LineReader {
  let rows = typeof state === 'number' ? state : 0;
  return {
    ...reader,
    read(line) {
      const row = reader.read(line);
      rows += row === undefined ? 0 : 1;
      return row && new Map([[name, rows], ...row]);
    },
    counters: () => [name],
    takeState: () => rows,
  };
}

function joinReaders(readers: readonly LineReader[], ofStderr: readonly LineReader[]): KindReader {
  let latest: LineReader | undefined;
  const readBy = (some: readonly LineReader[], line: string): MetadataRow | undefined => {
    for (const reader of some) {
      const row = reader.read(line);
      if (row === NO_ROW) return undefined;
      if (row !== undefined) {
        latest = reader;
        return row;
      }
    }
    return undefined;
  };
  return {
    read: (line) => readBy(readers, line),
    needles: joinNeedles(readers),
    // A blank line ends tables, but not one of the other stream.
    stderr: {
      read: (line) => (line.trim() === '' ? undefined : readBy(ofStderr, line)),
      needles: joinNeedles(ofStderr),
    },
    counters: (row) => latest?.counters(row),
    takeState(part) {
      const states = readers.map((reader) => reader.takeState(part));
      return states.every((state) => state === undefined) ? undefined : states.map((state) => state ?? null);
    },
  };
}

function joinNeedles(readers: readonly LineReader[]): LineReader['needles'] {
  // They are asked for before each line, and mostly stay the same.
  let parts: ReadonlyArray<readonly string[]> = [];
  let joined: readonly string[] = [];
  return () => {
    const next: Array<readonly string[]> = [];
    for (const reader of readers) {
      const needles = reader.needles();
      if (needles === undefined) return undefined;
      next.push(needles);
    }
    if (next.length !== parts.length || !next.every((needles, i) => isSame(needles, parts[i] ?? []))) {
      parts = next;
      joined = [...new Set(next.flat())];
    }
    return joined;
  };
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a === b || (a.length === b.length && a.every((text, i) => text === b[i]));
}
