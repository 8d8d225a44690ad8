export * from './layout';
export * from './slice-layout';
export { indexControls, kinds } from './controls';
export { flattenLines, inputEnd, outputEnd } from './flat-lines';
export { planFrames } from './frames';
