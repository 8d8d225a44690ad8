import type { MetadataRow } from '../../../table/metadata-row.js';
import type { JsonValue } from '../../../schema/job-point.js';
import type { LineReader } from '../../line-reader.js';
import type { PresetName } from '../../metadata-kind.js';

/** The reader of one program's lines. */
export interface Preset {
  readonly name: PresetName;
  /** The program, as people name it. */
  readonly program: string;
  /** `state`: what `takeState` of an earlier reader gave. */
  readonly createReader: (state?: JsonValue) => LineReader;
}

interface PresetDeclaration<State extends object> {
  readonly name: PresetName;
  readonly program: string;
  /** LineReader.needles, after the lines so far. */
  readonly needles: readonly string[] | ((state: State) => readonly string[] | undefined);
  /** LineReader.counters; those that a row has not are left out. */
  readonly counters: readonly string[] | ((row: MetadataRow) => readonly string[]);
  /** What earlier lines leave for later ones: plain JSON, and small. Objects in it are replaced, never changed. */
  readonly initial: State;
  readonly read: (line: string, state: State) => MetadataRow | undefined;
}

/** To search for more texts than this takes longer than to read the line. */
const MAX_SEARCHED = 9;

/** Makes a preset. Its reader gets each line without spaces at its end. */
export function definePreset<State extends object>(declaration: PresetDeclaration<State>): Preset {
  const { name, program, needles, initial, read, counters } = declaration;
  const findCounters = typeof counters === 'function' ? counters : (): readonly string[] => counters;
  return {
    name,
    program,
    createReader(saved) {
      const state: State = { ...initial, ...(saved as Partial<State> | undefined) };
      const hasState = Object.keys(initial).length > 0;
      const findNeedles = (): readonly string[] | undefined =>
        typeof needles === 'function' ? needles(state) : needles;
      return {
        read(line) {
          const texts = findNeedles();
          const isOther =
            texts !== undefined &&
            texts.length <= MAX_SEARCHED &&
            !line.startsWith('{') &&
            !texts.some((text) => line.includes(text));
          return isOther ? undefined : read(line, state);
        },
        needles: findNeedles,
        counters(row) {
          const found = findCounters(row).filter((key) => row.has(key));
          return found.length === 0 ? undefined : found;
        },
        takeState: (part = 'all') => (hasState && part === 'all' ? ({ ...state } as unknown as JsonValue) : undefined),
      };
    },
  };
}
