import { ConsoleRenderer } from '../render/console-renderer.js';
import type { PlainLines, RenderedRow, RowSink } from '../render/rendered-row.js';

/** The lines of some output as a console shows them at the end. */
export function renderLines(output: Uint8Array): string[] {
  const lines: string[] = [];
  const sink: RowSink = {
    update(rows: readonly RenderedRow[]): void {
      for (const { id, text } of rows) lines[id] = text;
    },
    addLines({ bytes, firstId, count }: PlainLines): void {
      const texts = bytes.toString('utf8').split('\n', count);
      texts.forEach((text, i) => (lines[firstId + i] = text.trimEnd()));
    },
  };
  const renderer = new ConsoleRenderer(undefined, true);
  renderer.write(output, sink);
  sink.update(renderer.end(), 0);
  return Array.from(lines, (line: string | undefined) => line ?? '');
}
