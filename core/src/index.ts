export * from './result/result.js';
export * from './point/point.js';
export { formatPoint, MAX_TIME_NS, MIN_TIME_NS } from './point/line-protocol.js';
export type {
  LineProtocolError,
  LineProtocolOptions,
  LineProtocolPart,
  ParsedLineProtocol,
} from './point/parse-line-protocol.js';
export { parseLineProtocol, scanLineProtocol } from './point/parse-line-protocol.js';
export { withStoredTypes } from './point/stored-types.js';
export { createTagSet } from './point/tag-set.js';
export type { Precision } from './point/timestamp.js';
export { formatRfc3339Nano, nsPerUnit, parseInfluxTime, parsePrecision, parseRfc3339Nano } from './point/timestamp.js';
export { compareCodePoints, toWellFormed, utf8Length } from './point/utf8.js';
export * from './schema/measurements.js';
export { decodeFieldKey, encodeFieldKey } from './schema/field-name.js';
export { decodeName, decodeTagValue, encodeName, encodeTagValue } from './schema/name-transport.js';
export { createSeriesName, createSeriesNamer } from './schema/series-name.js';
export type { LogLineFormatter, LogRow } from './schema/log-point.js';
export { createLogLineFormatter, createLogPoints, MAX_STRING_BYTES } from './schema/log-point.js';
export type { SeriesSummary } from './schema/metadata-point.js';
export { createMetadataPoints, createSeriesPoint } from './schema/metadata-point.js';
export type { JobDescription, JobEvent, JsonValue } from './schema/job-point.js';
export { createEventPoint, createJobPoint, JOB_FIELDS } from './schema/job-point.js';
export type { MetadataRow, NonfiniteOption } from './table/metadata-row.js';
export type { MetadataLine, MetadataReader, PrintedTable } from './metadata/metadata-reader.js';
export { createMetadataReader } from './metadata/metadata-reader.js';
export type { LineTemplate } from './metadata/line-template.js';
export type { FormattedPoints, TableLayout } from './metadata/table-layout.js';
export type { MetadataOptions } from './metadata/parse-metadata.js';
export { parseMetadataLine } from './metadata/parse-metadata.js';
export type { ColumnStats, TableStats } from './table/table-stats.js';
export { createTableStats, cutText, foldRow, formatTableStats, parseTableStats } from './table/table-stats.js';
export type { XAxisChoice } from './axis/x-axis.js';
export { inferXAxis } from './axis/x-axis.js';
export * from './influxql/build.js';
export * from './influxql/nodes.js';
export { parseQuery } from './influxql/parse.js';
export type { InfluxqlError } from './influxql/parse.js';
export { printStatement, printStatements } from './influxql/print.js';
export * from './influxql/quote.js';
export * from './influxql/response.js';
export * from './queries/jobs.js';
export * from './queries/log.js';
export * from './queries/names.js';
export * from './queries/rows.js';
export { readTables, tablesQuery } from './queries/tables.js';
export type { TableSummary, TablesRequest } from './queries/tables.js';
export type { NameSelection, TimeSelection } from './queries/selection.js';
export * from './rows/fold-job-points.js';
export * from './rows/group-tables.js';
export { joinLogParts } from './rows/join-log-parts.js';
export type { LogLine, LogPart } from './rows/join-log-parts.js';
export { joinPartialRecords } from './rows/join-rows.js';
export type { MetadataRecord } from './rows/join-rows.js';
export * from './rows/natural-order.js';
export * from './rows/newest-first.js';
export * from './rows/segments.js';
