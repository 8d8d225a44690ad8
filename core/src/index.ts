/** The public names of core: what the other parts use, each named once. */
export type { Result } from './result/result.js';
export { err, ok } from './result/result.js';
export { MAX_TIME_NS, MIN_TIME_NS, formatPoint } from './point/line-protocol.js';
export type { LineProtocolError, LineProtocolOptions } from './point/parse-line-protocol.js';
export { parseLineProtocol, scanLineProtocol } from './point/parse-line-protocol.js';
export type { FieldValue, Point } from './point/point.js';
export { withStoredTypes } from './point/stored-types.js';
export type { Precision } from './point/timestamp.js';
export { formatRfc3339Nano, nsPerUnit, parsePrecision, parseRfc3339Nano } from './point/timestamp.js';
export { compareCodePoints, toWellFormed } from './point/utf8.js';
export type { NonfiniteOption } from './table/metadata-row.js';
export type { ColumnStats, TableStats } from './table/table-stats.js';
export { createTableStats, cutText, foldRow, formatTableStats, parseTableStats } from './table/table-stats.js';
export type { XAxisChoice } from './axis/x-axis.js';
export { inferXAxis } from './axis/x-axis.js';
export { decodeFieldKey, encodeFieldKey } from './schema/field-name.js';
export type { JobDescription, JobEvent, JsonValue } from './schema/job-point.js';
export { createEventPoint, createJobPoint } from './schema/job-point.js';
export type { LogLineFormatter } from './schema/log-point.js';
export { createLogLineFormatter, createLogPoints } from './schema/log-point.js';
export type { JobSource, LogKind, Stream } from './schema/measurements.js';
export { MEASUREMENT } from './schema/measurements.js';
export { createMetadataPoints, createSeriesPoint } from './schema/metadata-point.js';
export { decodeTagValue, encodeTagValue } from './schema/name-transport.js';
export { createSeriesName, createSeriesNamer } from './schema/series-name.js';
export type { MetadataLine, MetadataReader, PrintedTable } from './metadata/metadata-reader.js';
export { createMetadataReader } from './metadata/metadata-reader.js';
export { parseMetadataLine } from './metadata/parse-metadata.js';
export type { SgrState } from './console/sgr.js';
export { SGR_MARKS, applySgrParameters } from './console/sgr.js';
export type { LogLine } from './rows/join-log-parts.js';
export type { MetadataRecord } from './rows/join-rows.js';
export { findTurns } from './rows/segments.js';
export {
  createAnd,
  createColumn,
  createComparison,
  createMeasurement,
  createRef,
  createSelect,
  createStringLiteral,
  createTagDimension,
  createTagEquals,
  createTimeComparison,
  freezeNode,
} from './influxql/build.js';
export type {
  AggregateName,
  ColumnRef,
  Condition,
  GroupBy,
  Literal,
  SelectColumn,
  SelectStatement,
  Source,
  Statement,
} from './influxql/nodes.js';
export { parseQuery } from './influxql/parse.js';
export { printStatement, printStatements } from './influxql/print.js';
export { formatTime, quoteIdentifier, quoteRegex, quoteString } from './influxql/quote.js';
export type { QueryResponse, ResultSeries, ResultValue, StatementResult } from './influxql/response.js';
export type { JobRecord } from './queries/jobs.js';
export { addJobValues, jobValuesQuery, jobsQuery, readJobs } from './queries/jobs.js';
export { logQuery, readLogLines } from './queries/log.js';
export { namesQuery, readNames } from './queries/names.js';
export { joinRows, rowsQueries } from './queries/rows.js';
export type { TableSummary } from './queries/tables.js';
export { readTables, tablesQuery } from './queries/tables.js';
