export * from './layout';
export * from './metadata-layout';
export * from './search-layout';
export { inputEnd, lastStart, outputEnd } from './consumed';
export { countEqual, outputPoints, skipOutput, writeColoured, writeOutput } from './output-lines';
export { fullBuckets } from './metadata-buckets';
export { metadataPoints, writeMetadata } from './metadata-lines';
export { search } from './search';
