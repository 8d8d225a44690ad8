import { Terminal } from '@xterm/headless';
import { createConsoleRenderer } from '../console-renderer.js';
import type { RenderedRow } from '../console-renderer.js';

/** An xterm as our screen is: 200 rows, so wide that nothing wraps, and a cleared screen scrolls off. */
export function createXterm(): Terminal {
  return new Terminal({
    cols: 1024,
    rows: 200,
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
  for (let i = 0; i < active.length; i++) {
    let line = '';
    const cells = active.getLine(i);
    const length = Math.min(cells?.length ?? 0, 2 * (cells?.translateToString(true).length ?? 0));
    for (let x = 0; x < length; x++) {
      const cell = cells?.getCell(x);
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
  const trimmed = lines.map((line) => line.replace(/ +$/, ''));
  while (trimmed.length > 0 && trimmed[trimmed.length - 1] === '') trimmed.pop();
  return trimmed;
}

/** The newest version of each row after all chunks; checks what every use of a renderer may rely on. */
export function renderChunks(chunks: readonly Uint8Array[], takesChangesAlways = true): RenderedRow[] {
  const renderer = createConsoleRenderer();
  const rows: RenderedRow[] = [];
  const keep = (returned: readonly RenderedRow[], first: number): void => {
    for (const row of returned) {
      if (row.id > rows.length) throw new Error(`Row ${row.id} came before row ${rows.length}.`);
      if (row.id < first) throw new Error(`Row ${row.id} came again, but rows before ${first} were final.`);
      rows[row.id] = row;
    }
  };
  for (const chunk of chunks) {
    const first = renderer.firstRewritableId;
    keep(renderer.write(chunk), first);
    if (takesChangesAlways && renderer.hasChangedRows) keep(renderer.takeChangedRows(), renderer.firstRewritableId);
  }
  const first = renderer.firstRewritableId;
  keep(renderer.end(), first);
  return rows;
}
