import { quoteIdentifier } from '@joblens/core/influxql/quote';

/** What the data source's settings name. */
export interface HealthTarget {
  readonly database: string;
  /** Address of InfluxDB as Grafana reaches it, if the settings say it. */
  readonly serverUrl?: string | undefined;
}

/** Whether a server that calls itself this, such as `v2.7.12`, is of a major version. */
export function isVersion(major: number, version = ''): boolean {
  return new RegExp(`^v?${String(major)}\\.`).test(version);
}

/** A command that logs a job where the data source looks for it. */
export function formatFirstJobCommand({ database, serverUrl = 'http://…' }: HealthTarget): string {
  const place = `INFLUX_HOST=${quoteForShell(serverUrl)} INFLUX_BUCKET=${quoteForShell(database)} INFLUX_TOKEN=…`;
  return `${place} joblens run --mode enabled -- echo '{"step": 1, "loss": 0.5}'`;
}

function quoteForShell(text: string): string {
  return /^[\w.:/…-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** How a version comes to have the database: where InfluxDB 2.x finds none, DBRP mappings may be the reason. */
export function formatDatabaseAdvice(database: string, version: string | undefined): string {
  if (isVersion(1, version)) {
    const statement = `CREATE DATABASE ${quoteIdentifier(database)}`;
    return `To create the database, run: influx -execute ${quoteForShell(statement)}`;
  }
  if (isVersion(3, version)) {
    return `To create the database, run: influxdb3 create database ${quoteForShell(database)}. The first point that is written there creates it, too.`;
  }
  const mapping = `influx v1 dbrp create --default --db ${quoteForShell(database)} --rp autogen --bucket-id ID`;
  return `InfluxDB 2.x says the same of a bucket that does not exist and of one that the token may not read: check both. It finds the bucket of a database by a DBRP mapping. A bucket has one under its own name, so enter the name of the bucket as the database. For another name, and in older versions of 2.x, run: ${mapping} ("influx bucket list" shows the ID).`;
}

/** How to make a login that may only read. */
export function formatReadOnlyAdvice(database: string, version: string | undefined): string {
  if (isVersion(1, version)) {
    const create = `CREATE USER grafana WITH PASSWORD '…'; GRANT READ ON ${quoteIdentifier(database)} TO grafana`;
    return `Enter a user that may only read: ${create}. Where InfluxDB has authentication off, everybody may write; auth-enabled = true in its section [http] changes that.`;
  }
  if (isVersion(2, version)) {
    return 'Enter a token that may only read. To make one, run: influx auth create --read-bucket ID ("influx bucket list" shows the ID).';
  }
  if (isVersion(3, version)) {
    return `Enter a token that has only the permission db:${database}:read. InfluxDB 3 Enterprise can make one. InfluxDB 3 Core has only tokens that may do everything, so let nobody query this data source who may not.`;
  }
  return 'Enter a login that may only read.';
}
