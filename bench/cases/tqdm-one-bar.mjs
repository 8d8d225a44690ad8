import { writeRecording } from '../inputs.mjs';
import { createRenderingCase, recording } from './shared/rendering.mjs';

export const tqdmOneBar = createRenderingCase({
  name: 'tqdm-one-bar',
  work: 'frames of one tqdm bar as it prints them into a file',
  speedAtLeast: 20,
  writeInput: (path, bytes) => writeRecording(path, bytes, recording('tqdm-one-bar')),
});
