import { Terminal } from '@xterm/headless';
import { ConsoleRenderer } from '../console-renderer.js';
import { readColoured } from '../../kernels/coloured-lines.js';
import type { PlainLines, RenderedRow, RowSink } from '../rendered-row.js';
import { formatWholeLine } from '../slot.js';

/** An xterm as our screen is: 200 rows, so wide that nothing wraps, and a cleared screen scrolls off. */
export function createXterm(rows = 200): Terminal {
  return new Terminal({
    cols: 1024,
    rows,
    scrollback: 9000,
    convertEol: true,
    scrollOnEraseInDisplay: true,
    allowProposedApi: true,
  });
}

export async function writeXterm(terminal: Terminal, data: string | Uint8Array): Promise<void> {
  await new Promise<void>((resolve) => terminal.write(data, resolve));
}

/** The lines of scrollback and screen, without trailing spaces and trailing empty lines. */
export function readXterm(terminal: Terminal): string[] {
  const { active } = terminal.buffer;
  const lines: string[] = [];
  for (let i = 0; i < active.length; i++) lines.push(active.getLine(i)?.translateToString(true) ?? '');
  return trimLines(lines);
}

/** Colours and marks of every visible character of the buffer, a line each. */
export function readXtermStyles(terminal: Terminal): string[] {
  const { active } = terminal.buffer;
  const lines: string[] = [];
  const memory = active.getNullCell();
  for (let i = 0; i < active.length; i++) {
    let line = '';
    const cells = active.getLine(i);
    const length = Math.min(cells?.length ?? 0, 2 * (cells?.translateToString(true).length ?? 0));
    for (let x = 0; x < length; x++) {
      const cell = cells?.getCell(x, memory);
      if (cell === undefined || cell.getChars().trim() === '') continue;
      const marks = [cell.isBold(), cell.isDim(), cell.isItalic(), cell.isUnderline(), cell.isBlink()];
      const more = [cell.isInverse(), cell.isInvisible(), cell.isStrikethrough(), cell.isOverline()];
      const colours = [cell.getFgColorMode(), cell.getFgColor(), cell.getBgColorMode(), cell.getBgColor()];
      line += `${x}${cell.getChars()}:${[...marks, ...more].map((mark) => (mark ? 1 : 0)).join('')}:${colours.join(',')} `;
    }
    lines.push(line);
  }
  return trimLines(lines);
}

export function trimLines(lines: readonly string[]): string[] {
  const trimmed = lines.map(trimSpaces);
  while (trimmed.length > 0 && trimmed[trimmed.length - 1] === '') trimmed.pop();
  return trimmed;
}

function trimSpaces(line: string): string {
  return line.replace(/ +$/, '');
}

/** Rows by their id, newest versions; checks what every user of a renderer may rely on. */
export class RowCollector implements RowSink {
  readonly rows: RenderedRow[] = [];
  plainLines = 0;
  #firstRewritableId = 0;

  update(rows: readonly RenderedRow[], firstRewritableId: number): void {
    for (const row of rows) this.#add(row);
    if (firstRewritableId < this.#firstRewritableId) throw new Error(`${firstRewritableId} is no longer rewritable.`);
    this.#firstRewritableId = firstRewritableId;
  }

  addLines(lines: PlainLines): void {
    const { firstId, count, firstRewritableId } = lines;
    if (firstId !== this.rows.length) throw new Error(`Row ${firstId} came before row ${this.rows.length}.`);
    for (const row of readPlainRows(lines)) this.#add(row);
    this.plainLines += count;
    this.#firstRewritableId = firstRewritableId;
  }

  #add(row: RenderedRow): void {
    if (row.id > this.rows.length) throw new Error(`Row ${row.id} came before row ${this.rows.length}.`);
    if (row.id < this.#firstRewritableId)
      throw new Error(`Row ${row.id} came again, but rows before ${this.#firstRewritableId} were final.`);
    this.rows[row.id] = row;
  }
}

/** Feeds a chunk and returns the rows that it brought, also those of plain lines. */
export function writeRows(renderer: ConsoleRenderer, chunk: Uint8Array): RenderedRow[] {
  const written: RenderedRow[] = [];
  renderer.write(chunk, {
    update: (rows) => void written.push(...rows),
    addLines: (lines) => void written.push(...readPlainRows(lines)),
  });
  return written;
}

function readPlainRows({ bytes, firstId, count, finalBytes, firstRewritableId, coloured }: PlainLines): RenderedRow[] {
  const lines = bytes.toString().split('\n');
  if (lines.length !== count + 1 || lines.pop() !== '') throw new Error(`${count} lines were to come.`);
  const final = bytes.subarray(0, finalBytes).toString().split('\n').length - 1;
  if (final !== firstRewritableId - firstId) throw new Error(`${final} lines are final.`);
  return lines.map((line, i) => formatWholeLine(firstId + i, line, coloured && readColoured(coloured, i)));
}

/** The newest version of each row after all chunks. */
export function renderChunks(chunks: readonly Uint8Array[], takesChangesAlways = true): RenderedRow[] {
  const renderer = new ConsoleRenderer();
  const collector = new RowCollector();
  for (const chunk of chunks) {
    renderer.write(chunk, collector);
    if (takesChangesAlways && renderer.hasChangedRows)
      collector.update(renderer.takeChangedRows(), renderer.firstRewritableId);
  }
  collector.update(renderer.end(), renderer.firstRewritableId);
  return collector.rows;
}
