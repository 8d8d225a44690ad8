export { countEqual, outputPoints, skipOutput, writeOutput } from './output-lines';
export { HEAD_AT, HEAD_BYTES, INPUT_AT, INPUT_BYTES, OUTPUT_AT, OUTPUT_BYTES, TIME_AT, TIME_DIGITS } from './layout';
export { inputEnd, lastStart, outputEnd } from './taken';
export { metadataPoints, writeMetadata } from './metadata-lines';
export { COLUMNS_AT, MAX_VALUES, POWERS_AT, SMALLEST_POWER, TEMPLATE_AT, TEMPLATE_BYTES } from './metadata-layout';
