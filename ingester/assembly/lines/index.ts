export { countLines, inputEnd, lastStart, outputEnd, skipOutput, writeOutput } from './output-lines';
export { HEAD_AT, HEAD_BYTES, INPUT_AT, INPUT_BYTES, OUTPUT_AT, OUTPUT_BYTES, TIME_AT, TIME_DIGITS } from './layout';
