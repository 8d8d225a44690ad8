export { flattenLines, inputEnd, outputEnd } from './flat-lines';
export { INPUT_AT, INPUT_BYTES, OUTPUT_AT } from './layout';
