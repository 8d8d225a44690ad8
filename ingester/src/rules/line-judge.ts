import type { Result, Stream } from '@joblens/core';
import type { RenderedRow } from '../render/rendered-row.js';
import { findPrintedOverBar } from './bar-rows.js';
import type { CommandFacts } from './command-facts.js';
import type { CommandOrder } from './log-command.js';
import { parseLogCommand } from './log-command.js';
import type { LogConfig } from './log-config.js';
import type { LogMode } from './log-modes.js';
import { LINE_RULES } from './log-modes.js';
import type { MetadataKinds } from './metadata-kinds.js';
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
  /** Why these facts cannot be written; undefined where they can. */
  readonly findRefusal: (facts: CommandFacts) => string | undefined;
}

/** Tells what each line of a job's output means: a command, metadata, or neither. Keeps the commands' orders. */
export class LineJudge {
  readonly #options: LineJudgeOptions;
  #asked: Partial<LogConfig> | undefined;
  #told: Orders['told'] = [];

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

  /** What a row of one stream means. */
  judge(stream: Stream, row: RenderedRow, mode: LogMode): LineMeaning {
    return this.#judgeRow(stream, row, mode) ?? createOutput(mode);
  }

  /**
   * Looks for a line that was printed over or behind a bar: it would be a line of its own if the bar had its own
   * stream.
   */
  judgeMixed(row: RenderedRow, mode: LogMode): LineMeaning {
    const meaning = this.#judgeRow('stdout', row, mode);
    if (meaning !== undefined || row.redrawn === undefined) return meaning ?? createOutput(mode);
    for (const line of findPrintedOverBar(row.redrawn)) {
      const found = this.#judgeLine('stdout', line, mode);
      // The bar may be older than the command, and not be for the log.
      if (found !== undefined) return found.kind === 'command' ? { ...found, text: line } : found;
    }
    return createOutput(mode);
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

  #note(order: Result<CommandOrder, string>, mode: LogMode): LineMeaning {
    const refusal = order.ok ? this.#options.findRefusal(order.value.facts) : order.error;
    if (!order.ok || refusal !== undefined) {
      const notice = `(joblens: the command above was not obeyed: ${refusal})`;
      return { kind: 'command', isLogged: LINE_RULES[mode].refusedCommand.isLogged, notices: [notice] };
    }
    const { options, facts } = order.value;
    this.#asked = { ...this.#asked, ...options };
    if (Object.keys(facts).length > 0) this.#told = [...this.#told, { facts, timeNs: this.#options.nextNs() }];
    return {
      kind: 'command',
      isLogged: LINE_RULES[this.#asked.mode ?? this.#options.getMode()].command.isLogged,
      notices: [],
    };
  }
}

function createOutput(mode: LogMode): LineMeaning {
  return { kind: 'output', isLogged: LINE_RULES[mode].output.isLogged, notices: [] };
}
