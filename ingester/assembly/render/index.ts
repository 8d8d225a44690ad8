export { indexControls, kinds } from './controls';
export { flattenLines, inputEnd, outputEnd } from './flat-lines';
export { planFrames } from './frames';
export { INPUT_AT, INPUT_BYTES, OUTPUT_AT } from './layout';
export {
  BYTE_LIMIT,
  BYTES_AT,
  PLAN_AT,
  RECORDS_AT,
  TEXT_AT,
  TEXTS_AT,
} from './slice-layout';
