import { writeRecording } from '../inputs.mjs';
import { createRenderingCase, recording } from './shared/rendering.mjs';

export const tqdmNested = createRenderingCase({
  name: 'tqdm-nested',
  work: 'nested tqdm bars',
  speedAtLeast: 3.3,
  writeInput: (path, bytes) => writeRecording(path, bytes, recording('tqdm-nested')),
});
