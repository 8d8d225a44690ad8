import { colouredLine, writeLines } from '../inputs.mjs';
import { createRenderingCase } from './shared/rendering.mjs';

export const colouredLines = createRenderingCase({
  name: 'coloured-lines',
  work: 'log lines with SGR colours',
  speedAtLeast: 5,
  writeInput: (path, bytes) => writeLines(path, bytes, colouredLine),
});
