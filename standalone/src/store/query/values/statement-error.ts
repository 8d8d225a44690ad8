/** Why one statement has no answer. Its message goes into `results[].error`, in InfluxDB's words if there are any. */
export class StatementError extends Error {}
