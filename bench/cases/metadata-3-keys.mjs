import { metadataLineOf3Keys } from '../inputs.mjs';
import { createMetadataCase } from './shared/metadata.mjs';

export const metadataOf3Keys = createMetadataCase({
  name: 'metadata-3-keys',
  work: 'metadata lines of 3 keys, 53 bytes',
  speedAtLeast: 0.38,
  formatLine: metadataLineOf3Keys,
});
