/** Why one statement has no answer; its message goes into `results[].error`, in InfluxDB's words where it has some. */
export class StatementError extends Error {}
