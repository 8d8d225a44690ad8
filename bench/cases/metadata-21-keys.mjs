import { metadataLineOf21Keys } from '../inputs.mjs';
import { createMetadataCase } from './shared/metadata.mjs';

export const metadataOf21Keys = createMetadataCase({
  name: 'metadata-21-keys',
  work: 'metadata lines of 21 keys, 578 bytes',
  speedAtLeast: 0.41,
  formatLine: metadataLineOf21Keys,
});
