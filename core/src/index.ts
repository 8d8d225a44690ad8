/** The public names of core: what the other parts use, each named once. */
export type { Result } from './result/result.js';
export { err, ok } from './result/result.js';

export type { JsonFault } from './json/bounded-json.js';
export { MAX_JSON_DEPTH, findTooDeep, isBoundedValue, parseJson, parseJsonObject } from './json/bounded-json.js';
export type { PrintedValue } from './json/printed-json.js';
export { formatIndentedJson, formatPrintedJson, PrintedNumber, readPrintedJson } from './json/printed-json.js';
export { findShare } from './numbers/find-share.js';
export { formatNumber } from './numbers/format-number.js';
export { labelLogTicks, labelTicks } from './numbers/tick-labels.js';
export { MAX_TIME_NS, MIN_TIME_NS, formatPoint } from './point/line-protocol.js';
export type { LineProtocolError, LineProtocolOptions } from './point/parse-line-protocol.js';
export { parseLineProtocol, scanLineProtocol } from './point/parse-line-protocol.js';
export type { FieldValue, Point } from './point/point.js';
export { withStoredTypes } from './point/stored-types.js';
export type { Precision } from './point/timestamp.js';
export { formatRfc3339Nano, nsPerUnit, parsePrecision, parseRfc3339Nano } from './point/timestamp.js';
export { compareCodePoints, toWellFormed } from './point/utf8.js';
export { formatKeyPaths, parseKeyPaths } from './table/key-paths.js';
export { listInexactIntegers } from './table/inexact-integer.js';
export type { KeyPaths, NonfiniteOption } from './table/metadata-row.js';
export type { TableForm } from './table/table-form.js';
export type { ColumnStats, TableStats } from './table/table-stats.js';
export { createTableStats, cutText, foldRow, formatTableStats, parseTableStats } from './table/table-stats.js';
export type { Bucket, BucketFold, BucketFoldState } from './table/bucket-fold.js';
export {
  BUCKET_FACTOR,
  BUCKET_STATS,
  BUCKETS_AFTER_ROWS,
  OPEN_BUCKET_PARTS,
  createBucketFold,
  foldIntoBuckets,
  formatBucketFold,
  mergeBucketFoldState,
  openFinest,
  passRows,
  restoreBucketFold,
  rowsInFinest,
} from './table/bucket-fold.js';
export type { XAxisChoice } from './axis/x-axis.js';
export { inferXAxis } from './axis/x-axis.js';
export type { BucketFormatter } from './schema/bucket-point.js';
export {
  BUCKET_ROWS_FIELD,
  createBucketFormatter,
  createBucketPoints,
  formatBucketSeriesKeys,
} from './schema/bucket-point.js';
export { decodeFieldKey, encodeFieldKey } from './schema/field-name.js';
export type { Heartbeat, HeartbeatGrid } from './schema/heartbeat-point.js';
export type { JobWriter } from './schema/job-writer.js';
export { formatJobWriter, parseJobWriter } from './schema/job-writer.js';
export { HEARTBEAT_GRIDS, createHeartbeatPoint, findHeartbeatNs, findSlotStartMs } from './schema/heartbeat-point.js';
export type { JobDescription, JobEvent, JsonValue } from './schema/job-point.js';
export {
  STATE_TOPIC,
  UNKNOWN_PROGRESS,
  UNKNOWN_REMAINING_S,
  createEventPoint,
  createJobPoint,
} from './schema/job-point.js';
export type { Standstill } from './schema/standstill-point.js';
export { createStandstillPoint } from './schema/standstill-point.js';
export type { TransitionOrigin } from './schema/transition-point.js';
export { createTransitionPoint } from './schema/transition-point.js';
export type { LogLineFormatter } from './schema/log-point.js';
export { MAX_STRING_BYTES, createLogLineFormatter, createLogPoints } from './schema/log-point.js';
export type { JobSource, LogKind, Stream } from './schema/measurements.js';
export { MEASUREMENT } from './schema/measurements.js';
export { SUMMARIES_SPREAD_NS, createMetadataPoints, createSeriesPoint } from './schema/metadata-point.js';
export { decodeTagValue, encodeTagValue } from './schema/name-transport.js';
export { createSeriesName, createSeriesNamer } from './schema/series-name.js';
export type { MetadataLine, MetadataReader, PrintedTable, PrintedTableSet } from './metadata/metadata-reader.js';
export { createMetadataReader } from './metadata/metadata-reader.js';
export { parseMetadataLine, parsePrintedRow } from './metadata/parse-metadata.js';
export { columnsOfCodePoint, columnsOfText, isNarrowText } from './console/column-width.js';
export { guardFormula, quoteCsvCell } from './console/csv.js';
export { findNearest } from './console/find-nearest.js';
export { readPageText } from './console/page-text.js';
export { cutToColumns, replaceControls, toVisibleText } from './console/terminal-text.js';
export type { MetadataKind } from './lines/metadata-kind.js';
export { DEFAULT_METADATA_KINDS, PRESET_NAMES, formatMetadataKind } from './lines/metadata-kind.js';
export type { CompilePattern, LinePattern, PatternFault } from './lines/line-pattern.js';
export type { PatternCost } from './lines/pattern-cost.js';
export { explainSyntax } from './lines/explain-syntax.js';
export { estimatePatternCost } from './lines/pattern-cost.js';
export type { ChosenNumbers, LineRule } from './lines/find-line-rule.js';
export { findLineRules } from './lines/find-line-rule.js';
export type { LineReader } from './lines/line-reader.js';
export type { KindReader } from './lines/kind-reader.js';
export { createKindReader } from './lines/kind-reader.js';
export type { NamedNumber } from './lines/named-numbers.js';
export { findNamedNumbers } from './lines/named-numbers.js';
export type { Suggestion } from './lines/suggest.js';
export { suggest } from './lines/suggest.js';
export type { SignalPattern } from './signals/signal-pattern.js';
export { BUILT_IN_SIGNALS } from './signals/built-in-patterns.js';
export type { CompileSignal } from './signals/own-patterns.js';
export { MAX_OWN_SIGNALS, createOwnPattern, parseOwnSignal } from './signals/own-patterns.js';
export type { Signal } from './signals/signal-detector.js';
export { SignalDetector, listLiterals } from './signals/signal-detector.js';
export type { NonfiniteMetric } from './signals/nonfinite-metric.js';
export { createNonfiniteSignal, findNonfiniteMetrics } from './signals/nonfinite-metric.js';
export type { TracebackState } from './signals/traceback.js';
export type { FoldedSignal, FoundSignal, SignalFoldState } from './signals/signal-fold.js';
export { SIGNAL_TOPIC, SignalFold, createSignalEvent, mergeSignalFoldState } from './signals/signal-fold.js';
export type { JobEnd } from './signals/explain-end.js';
export { describeExit, explainEnd } from './signals/explain-end.js';
export type { ProgressEstimate } from './progress/pace.js';
export type { ProgressEstimator, ProgressState } from './progress/progress-estimator.js';
export { createProgressEstimator } from './progress/progress-estimator.js';
export { createRowFormatter } from './metadata/row-json.js';
export type { SgrState } from './console/sgr.js';
export { SGR_MARKS, applySgrParameters } from './console/sgr.js';
export type { LogLine } from './rows/join-log-parts.js';
export type { MetadataRecord } from './rows/join-rows.js';
export { readNumber } from './rows/join-rows.js';
export { findTurns } from './rows/segments.js';
export {
  createAnd,
  createCallColumn,
  createColumn,
  createComparison,
  createMeasurement,
  createOr,
  createRef,
  createSelect,
  createStringLiteral,
  createTagDimension,
  createTagEquals,
  createTimeComparison,
  freezeNode,
} from './influxql/build.js';
export type {
  AggregateCall,
  AggregateName,
  ArithmeticOperator,
  BinaryExpression,
  ColumnExpression,
  ColumnRef,
  Condition,
  DropSeriesStatement,
  FunctionCall,
  FunctionName,
  FunctionParameter,
  GroupBy,
  Literal,
  SelectColumn,
  SelectStatement,
  ShowCardinalityStatement,
  ShowTagValuesStatement,
  Source,
  Statement,
} from './influxql/nodes.js';
export type { BoundParameters } from './influxql/parse.js';
export { parseQuery } from './influxql/parse.js';
export { printStatement, printStatements } from './influxql/print.js';
export { formatTime, quoteIdentifier, quoteRegex, quoteString } from './influxql/quote.js';
export type { QueryResponse, ResultSeries, ResultValue, StatementResult } from './influxql/response.js';
export { readResults } from './influxql/response.js';
export type { JobRecord, JobsRequest } from './queries/jobs.js';
export {
  addJobBounds,
  addJobValues,
  compareJobs,
  jobBoundsQuery,
  jobValuesQuery,
  jobsQuery,
  readJobs,
} from './queries/jobs.js';
export { describeJobsQuery, findDescribedSinceNs, splitDescriptions } from './queries/describe-jobs.js';
export type { EventPlace, EventRecord, EventsRequest, FoundEvents } from './queries/events.js';
export { needsLabels } from './queries/job-labels.js';
export { findEventPlaces, formatEventKey, readEventPage, readEvents } from './queries/events.js';
export type { FoundTopics, TopicCount } from './queries/topics.js';
export { readTopics } from './queries/topics.js';
export type { StoryRequest, TaskTransition } from './queries/story.js';
export { readStory, storyQuery } from './queries/story.js';
export type { EventFilter } from './queries/event-filter.js';
export {
  createForgottenPoints,
  dropJobStatements,
  JOB_SERIES_MEASUREMENTS,
  jobMarksQueries,
} from './queries/delete-job.js';
export { createForgottenName, isForgottenName } from './queries/forgotten-jobs.js';
export type { FindRequest, FoundJob } from './queries/find-jobs.js';
export {
  FINEST_GRID,
  chooseGrid,
  findJobsQuery,
  formatJobKey,
  isActiveState,
  isLimitedFind,
  readFoundJobs,
} from './queries/find-jobs.js';
export type { WalkSlice, WalkSlot } from './queries/walk-jobs.js';
export { listWalkSlots, readWalkSlice, takeWalkSlice, walkQuery } from './queries/walk-jobs.js';
export type { WalkedJob } from './queries/walked-jobs.js';
export { addWalkedSlot, sortWalkedJobs } from './queries/walked-jobs.js';
export type { JobHits } from './queries/search-jobs.js';
export { readJobHits, searchDescriptions, searchJobsQuery } from './queries/search-jobs.js';
export { MAX_NAMED_JOBS } from './queries/selection.js';
export { formatDuration } from './signals/amounts.js';
export {
  findJobDurationMs,
  findJobEndMs,
  findLastPointNs,
  lastLinesQuery,
  lastRowQueries,
  readLastLines,
  readLastRow,
} from './queries/job-end.js';
export { addLastLife, findLostJobs, mayBeLost } from './queries/lost-jobs.js';
export { jobOwnersQuery, readJobOwners } from './queries/job-owners.js';
export { findNamedRowJobs, findRowJobs, rowJobNamesQueries } from './queries/find-row-jobs.js';
export type { WriterHeartbeat } from './queries/job-writers.js';
export { jobWritersQuery, readJobWriters } from './queries/job-writers.js';
export { findOtherJobsQuery, heartbeatEraQuery, isHeartbeatEra } from './queries/find-other-jobs.js';
export type { ColumnFilter } from './queries/column-filter.js';
export { compileColumnFilter, parseColumnFilter } from './queries/column-filter.js';
export { countRowsQueries, findRows, readRowCount } from './queries/found-rows.js';
export type { FindTablesRequest, FoundTable } from './queries/find-tables.js';
export { countFoundTableQueries, findTables, readCountedTables } from './queries/find-tables.js';
export { findRowTables, joinTables } from './queries/row-tables.js';
export type { RowTables } from './queries/row-tables.js';
export type { LogPage, LogRequest, LogSelection } from './queries/log.js';
export {
  createLogAroundRequests,
  logCountQuery,
  logQuery,
  logStreamsQueries,
  readLogCount,
  readLogPage,
  readLogStreams,
} from './queries/log.js';
export type { JobTables } from './queries/most-tables.js';
export { countTablesQuery, readMostTables } from './queries/most-tables.js';
export type { NameKind, NamesRequest } from './queries/names.js';
export {
  isLimitedNames,
  MAX_NAMES,
  namesQuery,
  readNames,
  readRecentNames,
  recentNamesQuery,
} from './queries/names.js';
export type { KnownTable } from './queries/whole-table-steps.js';
export type { NonFiniteRow, NonFiniteRows, NonFiniteStep } from './queries/nonfinite.js';
export { readNonFinite } from './queries/nonfinite.js';
export type { JoinedRows } from './queries/refreshed-rows.js';
export { joinRefreshedRows } from './queries/refreshed-rows.js';
export type { SignalRecord } from './queries/signals.js';
export { readSignals, signalsQuery } from './queries/signals.js';
export type { GraphWeight } from './queries/main-tables.js';
export { compareMainFirst, findXKey } from './queries/main-tables.js';
export type { JobUsage } from './queries/job-usage.js';
export { findUsageTables, isUsageKey, readUsage, usageQueries } from './queries/job-usage.js';
export type { JobReport } from './report/job-report.js';
export { createJobReport, isOn } from './report/job-report.js';
export { formatReport } from './report/format-report.js';
export type { RowsRequest } from './queries/rows.js';
export { readTrendPoints, trendQuery } from './queries/trend.js';
export { joinRows, rowsQueries } from './queries/rows.js';
export type { ReadStep } from './queries/read-step.js';
export { readRowsAt } from './queries/rows-at.js';
export { readSortValues } from './queries/sort-values.js';
export type { ReadableResult } from './queries/result-rows.js';
export type { TablePiece } from './queries/table-pieces.js';
export type { TableSummary } from './queries/tables.js';
export { readTables, sortTables, tablesQuery } from './queries/tables.js';
export type { WholeTable, WholeTableStep } from './queries/whole-table-steps.js';
export { readWholeTable } from './queries/whole-table.js';
export type { JobSize, LivingJob, TimeWindow, Transition } from './analytics/transition.js';
export { listBins } from './analytics/bins.js';
export type { Steps } from './analytics/steps.js';
export { averageSteps, readStep } from './analytics/steps.js';
export type { Stay } from './analytics/stays.js';
export { listStays } from './analytics/stays.js';
export { countReached } from './analytics/throughput.js';
export type { Allocation, Weight } from './analytics/utilization.js';
export { countNodes, countRunning } from './analytics/utilization.js';
export { countStates } from './analytics/state-counts.js';
export type { QueueWait, WaitBin } from './analytics/queue-waits.js';
export { listWaits, summarizeWaits } from './analytics/queue-waits.js';
export type { Usage } from './analytics/usage.js';
export { isWasted, sumUsage } from './analytics/usage.js';
export type {
  AnalyticsAnswer,
  AnalyticsReport,
  AnalyticsRequest,
  StepsAnswer,
  UsageAnswer,
  WaitsAnswer,
} from './queries/analytics-answer.js';
export { ANALYTICS_REPORTS } from './queries/analytics-answer.js';
export type { AnalyticsStep } from './queries/analytics.js';
export { readAnalytics } from './queries/analytics.js';
export type { Failure, FailuresRequest } from './queries/failures.js';
export { addFailureReasons, failureReasonsQuery, findFailures } from './queries/failures.js';
export type { EventCount, EventCountsRequest } from './queries/event-counts.js';
export { readEventCounts } from './queries/event-counts.js';
