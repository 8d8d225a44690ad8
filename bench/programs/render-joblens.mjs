// Renders a file with the renderer of joblens; the result is the last row. node render-joblens.mjs FILE BUNDLE
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { chunksOf, RENDERINGS } from './chunks.mjs';
import { reportWork } from './report-work.mjs';

/** A timer asks for changed rows every 250 ms. In that time, at least a few MB pass. */
const CHUNKS_BETWEEN_TICKS = 16;

const bytes = readFileSync(process.argv[2]);
const { ConsoleRenderer } = await import(pathToFileURL(process.argv[3]).href);

/** At least as many rows as the programs here ever go back; a power of 2. */
const KEPT_ROWS = 16;

await reportWork(() => {
  const renderer = new ConsoleRenderer();
  const texts = Array.from({ length: KEPT_ROWS }, () => '');
  let rowCount = 0;
  const update = (rows) => {
    for (const row of rows) {
      texts[row.id % KEPT_ROWS] = row.text;
      if (row.id >= rowCount) rowCount = row.id + 1;
    }
  };
  const sink = {
    update,
    addLines({ bytes, firstId, count }) {
      rowCount = firstId + count;
      texts[(rowCount - 1) % KEPT_ROWS] = bytes.toString(
        'utf8',
        bytes.lastIndexOf(0x0a, bytes.length - 2) + 1,
        bytes.length - 1
      );
    },
  };
  let chunks = 0;
  for (const chunk of chunksOf(bytes)) {
    renderer.write(chunk, sink);
    if (++chunks % CHUNKS_BETWEEN_TICKS === 0) update(renderer.takeChangedRows());
  }
  update(renderer.end());
  let last = rowCount - 1;
  while (last >= 0 && last > rowCount - KEPT_ROWS && texts[last % KEPT_ROWS] === '') last--;
  return texts[last % KEPT_ROWS];
}, RENDERINGS);
