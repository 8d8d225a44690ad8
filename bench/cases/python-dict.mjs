import { metadataLineOf3Keys } from '../inputs.mjs';
import { createMetadataCase } from './shared/metadata.mjs';

export const pythonDict = createMetadataCase({
  name: 'python-dict',
  work: 'the same as Python dicts, metadata: [json, python-dict]',
  speedAtLeast: 0.48,
  formatLine: metadataLineOf3Keys,
  formatOurs: (line) => line.replaceAll('"', "'"),
  optIn: 'metadata: [json, python-dict]\n',
});
