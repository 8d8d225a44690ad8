// Renders a file with the renderer of joblens. node render-joblens.mjs FILE BUNDLE
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { chunksOf } from './chunks.mjs';
import { reportWork } from './report-work.mjs';

/** Changed rows are asked for by a timer, every 250 ms; a few MB pass in that time at the least. */
const CHUNKS_BETWEEN_TICKS = 16;

const bytes = readFileSync(process.argv[2]);
const { createConsoleRenderer } = await import(pathToFileURL(process.argv[3]).href);

await reportWork(() => {
  const renderer = createConsoleRenderer();
  let textUnits = 0;
  let rowCount = 0;
  const update = (rows) => {
    rowCount += rows.length;
    for (const row of rows) textUnits += row.text.length;
  };
  const sink = {
    update,
    addFinalLines({ text, count }) {
      textUnits += text.length;
      rowCount += count;
    },
  };
  let chunks = 0;
  for (const chunk of chunksOf(bytes)) {
    renderer.write(chunk, sink);
    if (++chunks % CHUNKS_BETWEEN_TICKS === 0) update(renderer.takeChangedRows());
  }
  update(renderer.end());
  return { rowCount, textUnits };
});
