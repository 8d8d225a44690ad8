export { logWindow, type Row, tableStorage, type TableStorage, type WindowOptions } from './aggregators.js';
export {
  bytesAllocated,
  bytesLive,
  core,
  type CoreElement,
  eventSaturation,
  id,
  loadAverage,
  memoryFree,
  timeline,
  type TimelineElement,
  workerSaturation,
} from './consumers.js';
export { Context, type ContextOptions, disableLogging, enableLogging, type SpanOptions } from './context.js';
export { fetchLogs } from './fetch-logs.js';
export type { EventKind, JsonValue, LogEvent } from './log-event.js';
export {
  type Aggregator,
  type Consumer,
  multi,
  type MultiLogs,
  type MultiOptions,
  type MultiSink,
} from './multi-sink.js';
export { type KeepingSink, lines, memory, noOp, type Sink } from './sinks.js';
