export * from './layout';
export * from './metadata-layout';
export { inputEnd, lastStart, outputEnd } from './consumed';
export { countEqual, outputPoints, skipOutput, writeOutput } from './output-lines';
export { metadataPoints, writeMetadata } from './metadata-lines';
