import { metadataLineWithTexts } from '../inputs.mjs';
import { createMetadataCase } from './shared/metadata.mjs';

export const metadataText = createMetadataCase({
  name: 'metadata-text',
  work: 'metadata lines of 11 keys, 7 of them texts',
  speedAtLeast: 0.42,
  formatLine: metadataLineWithTexts,
});
