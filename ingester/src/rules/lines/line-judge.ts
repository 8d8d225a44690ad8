import type { Result } from '@joblens/core/result/result';
import type { Stream } from '@joblens/core/schema/measurements';
import { findTooDeep, MAX_JSON_DEPTH } from '@joblens/core/json/bounded-json';
import type { RenderedRow } from '../../render/rendered-row.js';
import { findPrintedOverBar } from '../commands/bar-rows.js';
import type { CommandFacts } from '../commands/command-facts.js';
import { type CommandOrder, parseLogCommand } from '../commands/log-command.js';
import type { LogConfig } from '../options/log-config.js';
import { LINE_RULES, type LogMode } from '../options/log-modes.js';
import type { MetadataKinds } from '../tables/metadata-kinds.js';
import type { LineMeaning } from './stream-context.js';

/** What commands ask for that was not obeyed yet. */
export interface Orders {
  readonly options: Partial<LogConfig>;
  /** What they have told, and when. */
  readonly told: ReadonlyArray<{ readonly facts: CommandFacts; readonly timeNs: bigint }>;
}

interface LineJudgeOptions {
  readonly kinds: Pick<MetadataKinds, 'read'>;
  readonly nextNs: () => bigint;
  readonly getMode: () => LogMode;
  /** Why this cannot be done; undefined where it can. */
  readonly findRefusal: (order: CommandOrder) => string | undefined;
}

/** The most reasons that are said of one job. */
const MAX_EXPLAINED = 100;

/** Tells what each line of a job's output means: a command, metadata, or neither. Keeps the commands' orders. */
export class LineJudge {
  readonly #options: LineJudgeOptions;
  #asked: Partial<LogConfig> | undefined;
  #told: Orders['told'] = [];
  /** Why JSON was no metadata, as far as it was said. */
  readonly #explained = new Set<string>();

  constructor(options: LineJudgeOptions) {
    this.#options = options;
  }

  /** The orders since the last call. */
  takeOrders(): Orders | undefined {
    const [options, told] = [this.#asked, this.#told];
    this.#asked = undefined;
    this.#told = [];
    return options && { options, told };
  }

  /** The mode for which commands ask that were not obeyed yet. */
  get askedMode(): LogMode | undefined {
    return this.#asked?.mode;
  }

  /** What a row of one stream means. */
  judge(stream: Stream, row: RenderedRow, mode: LogMode): LineMeaning {
    return this.#judgeRow(stream, row, mode) ?? { ...createOutput(mode), notices: this.#explain(stream, row, mode) };
  }

  /**
   * Looks for a line that was printed over or behind a bar: it would be a line of its own if the bar had its own
   * stream.
   */
  judgeMixed(row: RenderedRow, mode: LogMode): LineMeaning {
    const meaning = this.#judgeRow('stdout', row, mode);
    if (meaning !== undefined && !isMalformed(meaning)) return meaning;
    for (const line of row.redrawn === undefined ? [] : findPrintedOverBar(row.redrawn)) {
      const found = this.#judgeLine('stdout', line, mode);
      // The bar may be older than the command, and not be for the log.
      if (found !== undefined) return found.kind === 'command' ? { ...found, text: line } : found;
    }
    if (meaning !== undefined || row.redrawn !== undefined) return meaning ?? createOutput(mode);
    return { ...createOutput(mode), notices: this.#explain('stdout', row, mode) };
  }

  /**
   * Undefined for an ordinary line. Commands and metadata take whole lines, so a line with a space at its end is
   * neither.
   */
  #judgeRow(stream: Stream, { text, hasTrailingSpace }: RenderedRow, mode: LogMode): LineMeaning | undefined {
    return this.#judgeLine(stream, hasTrailingSpace ? `${text} ` : text, mode);
  }

  #judgeLine(stream: Stream, line: string, mode: LogMode): LineMeaning | undefined {
    const command = parseLogCommand(line);
    if (command.kind === 'command') return this.#note(command.order, mode);
    if (command.kind === 'malformed') {
      return { ...createOutput(mode), notices: [`(joblens: the line above is not a command: ${command.message})`] };
    }
    const { isLogged, isMined } = LINE_RULES[mode].metadata;
    if (!isMined) return undefined;
    const metadata = this.#options.kinds.read(line, stream);
    return metadata && { kind: 'output', isLogged, metadata, notices: [] };
  }

  /** Says once of each cause why JSON is no metadata. */
  #explain(stream: Stream, row: RenderedRow, mode: LogMode): readonly string[] {
    if (stream !== 'stdout' || !row.text.startsWith('{') || !LINE_RULES[mode].metadata.isMined) return [];
    return this.#sayOnce(explainNoRow(row.text));
  }

  /** Says once that JSON was too long for one row. */
  explainPieces(stream: Stream, mode: LogMode): readonly string[] {
    return stream === 'stdout' && LINE_RULES[mode].metadata.isMined ? this.#sayOnce('it is longer than 1 MiB') : [];
  }

  /** A job may print such a command again and again. */
  #explainIgnored(ignored: string | undefined): readonly string[] {
    if (ignored === undefined || !this.#isNew(ignored)) return [];
    return [`(joblens: of the command above, ${ignored})`];
  }

  #sayOnce(reason: string | undefined): readonly string[] {
    if (reason === undefined || !this.#isNew(reason)) return [];
    return [`(joblens: the line above is no metadata: ${reason})`];
  }

  /** A job may cause any number of reasons, as they tell places in the line. */
  #isNew(reason: string): boolean {
    if (this.#explained.size >= MAX_EXPLAINED || this.#explained.has(reason)) return false;
    this.#explained.add(reason);
    return true;
  }

  #note(order: Result<CommandOrder, string>, mode: LogMode): LineMeaning {
    const refusal = order.ok ? this.#options.findRefusal(order.value) : order.error;
    if (!order.ok || refusal !== undefined) {
      const notice = `(joblens: the command above was not obeyed: ${refusal})`;
      return { kind: 'command', isLogged: LINE_RULES[mode].refusedCommand.isLogged, notices: [notice] };
    }
    const { options, facts, ignored } = order.value;
    this.#asked = { ...this.#asked, ...options };
    if (Object.keys(facts).length > 0) this.#told = [...this.#told, { facts, timeNs: this.#options.nextNs() }];
    const rules = LINE_RULES[this.#asked.mode ?? this.#options.getMode()];
    return {
      kind: 'command',
      // Nobody knows what another version makes of the rest.
      isLogged: (ignored === undefined ? rules.command : rules.refusedCommand).isLogged,
      notices: this.#explainIgnored(ignored),
    };
  }
}

/** The rest of a longer bar may show behind a command. */
function isMalformed({ kind, metadata }: LineMeaning): boolean {
  return kind === 'output' && metadata === undefined;
}

/** Why a line is no row that looks like one; undefined where it looks like none. */
function explainNoRow(text: string): string | undefined {
  if (!text.endsWith('}') || findTooDeep(text) === undefined || !isJson(text)) return undefined;
  return `it is nested more than ${MAX_JSON_DEPTH} levels deep`;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function createOutput(mode: LogMode): LineMeaning {
  return { kind: 'output', isLogged: LINE_RULES[mode].output.isLogged, notices: [] };
}
