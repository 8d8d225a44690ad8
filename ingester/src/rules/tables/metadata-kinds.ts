import { createKindReader, type KindReader } from '@joblens/core/lines/kind-reader';
import type { MetadataKind } from '@joblens/core/lines/metadata-kind';
import { createMetadataReader, type MetadataLine, type MetadataReader } from '@joblens/core/metadata/metadata-reader';
import type { JsonValue } from '@joblens/core/schema/job-point';
import type { JobSource, Stream } from '@joblens/core/schema/measurements';
import { TableTree } from '../../kernels/table-tree.js';
import { compilePattern } from '../options/compile-pattern.js';
import type { LogConfig } from '../options/log-config.js';
import { PatternBudget } from '../options/pattern-budget.js';

type KindsConfig = Pick<LogConfig, 'metadata' | 'nonfinite'>;

/** Reads the metadata lines of one job, of all kinds that its configuration names. */
export class MetadataKinds {
  /** The tables that were found, and how their lines are printed. */
  printedTables = new TableTree();
  readonly #source: JobSource;
  #config: KindsConfig;
  #reader: MetadataReader;
  /** Undefined where JSON is the only kind. */
  #lines: KindReader | undefined;

  #onLongLine: ((message: string) => void) | undefined;

  /**
   * @param state what `takeState` gave under the same configuration
   * @param onLongLine called once, for the first line that is too long for the expressions
   */
  constructor(source: JobSource, config: KindsConfig, state?: JsonValue, onLongLine?: (message: string) => void) {
    this.#source = source;
    this.#onLongLine = onLongLine;
    this.#config = config;
    this.#reader = this.#createReader();
    this.#lines = this.#createLines(config, state);
  }

  /** Reads lines by this configuration from here on. */
  set(config: KindsConfig): void {
    const { metadata, nonfinite } = this.#config;
    const isSame = metadata === config.metadata && nonfinite === config.nonfinite;
    this.#config = config;
    if (isSame) return;
    this.printedTables = new TableTree();
    this.#reader = this.#createReader();
    this.#lines = this.#createLines(config);
  }

  /** A line without its LF that may be metadata; undefined when it is a log line. Call it for each line in order. */
  read(line: string, stream: Stream = 'stdout'): MetadataLine | undefined {
    if (this.#lines === undefined) return stream === 'stdout' ? this.#reader.read(line, this.#config) : undefined;
    const row = this.#of(this.#lines, stream).read(line);
    return row && this.#reader.toLine(line, row, this.#lines.counters(row));
  }

  /** LineReader.needles, of the lines that do not begin like JSON. */
  needles(stream: Stream = 'stdout'): readonly string[] | undefined {
    return this.#lines === undefined ? [] : this.#of(this.#lines, stream).needles();
  }

  /** `counts`: nothing that was printed. */
  takeState(part: 'all' | 'counts' = 'all'): JsonValue | undefined {
    return this.#lines?.takeState(part);
  }

  /** Forgets what was printed, such as the heading of a table: it may not be kept. */
  forgetPrinted(): void {
    this.#lines = this.#createLines(this.#config, this.takeState('counts'));
  }

  #of(lines: KindReader, stream: Stream): Pick<KindReader, 'read' | 'needles'> {
    return stream === 'stdout' ? lines : lines.stderr;
  }

  #createLines({ metadata, nonfinite }: KindsConfig, state?: JsonValue): KindReader | undefined {
    if (metadata.length === 1 && metadata[0] === 'json') return undefined;
    const budget = new PatternBudget((message) => {
      const say = this.#onLongLine;
      this.#onLongLine = undefined;
      say?.(message);
    });
    return createKindReader({
      ...{ kinds: metadata, nonfinite, state },
      compile: (source) => compilePattern(source, budget),
    });
  }

  #createReader(): MetadataReader {
    const canBeFast = isReadAlike(this.#config.metadata);
    return createMetadataReader(this.#source, canBeFast ? this.printedTables : undefined);
  }
}

/** Whether objects that are printed alike are read alike: an expression that is tried before may take some of them. */
function isReadAlike(kinds: readonly MetadataKind[]): boolean {
  const isExpression = (kind: MetadataKind): boolean => typeof kind === 'object' && 'regex' in kind;
  const first = kinds.findIndex(isExpression);
  return first < 0 || kinds.slice(first).every(isExpression);
}
