import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import type { Point } from '@joblens/core/point/point';
import { deleteSeries, type DroppedSeries } from './delete-series.js';
import type { Catalog, Database } from './catalog.js';
import { commitBatch } from './commit-batch.js';
import { rewriteWornTables } from './compact.js';
import { readWholeTexts } from './duckdb-texts.js';
import { openTables } from './format.js';
import { loadCatalog, loadStates } from './schema.js';
import { type DroppedPoints, type KeptStates, WriteBatch } from './write-batch.js';

export interface StoreOptions {
  /** How much DuckDB may hold in memory, in its notation. The rest goes to a temporary folder beside the file. */
  readonly memoryLimit?: string;
  readonly threads?: number;
  /** Series beyond this number are dropped, as in InfluxDB. */
  readonly maxSeries?: number;
}

export type { KeptStates } from './write-batch.js';

export type WriteOutcome =
  { readonly kind: 'written'; readonly dropped?: DroppedPoints } | { readonly kind: 'database-not-found' };

/**
 * InfluxDB's data model in one DuckDB file, for one process at a time. When a call has returned, its result is on disk.
 */
export interface Store {
  readonly catalog: Catalog;
  /** Creates a database. An existing one stays as it is. */
  createDatabase(name: string): Promise<void>;
  /**
   * Resolves when the points are on disk, with the states that belong to them. Points that do not fit the schema are
   * counted in `dropped`.
   */
  write(database: string, points: readonly Point[], states?: KeptStates): Promise<WriteOutcome>;
  /** The states of a database at the start, in the form in which the ingester keeps them. */
  readStates(database: string): ReadonlyMap<string, readonly string[]>;
  /** Removes series with all their points. `choose` sees the catalog of the moment; what it throws is passed on. */
  dropSeries(choose: () => readonly DroppedSeries[]): Promise<void>;
  /** Runs a reader on a connection of its own. A few run at once; the others wait. */
  read<T>(reader: (connection: DuckDBConnection) => Promise<T>): Promise<T>;
  /**
   * The same for a reader that yields. The signal ends it; then it throws the signal's reason. The connection is free
   * at its end.
   */
  readEach<T>(reader: (connection: DuckDBConnection) => AsyncGenerator<T>, signal: AbortSignal): AsyncGenerator<T>;
  close(): Promise<void>;
}

/** Queries that run at once. Each holds one of Node's four threads for such work, and writing needs one. */
const MAX_READERS = 3;
/** How many points of waiting requests share one commit. A commit costs an fsync. */
const MAX_BATCH_POINTS = 50_000;

interface WriteJob {
  readonly points: readonly Point[];
  readonly states: KeptStates | undefined;
  readonly database: string;
  readonly resolve: (outcome: WriteOutcome) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Opens the store in the file at `path`, or creates it.
 * Throws if another process uses the file, if it is not a store, or if it cannot be written.
 */
export async function createStore(path: string, options: StoreOptions = {}): Promise<Store> {
  readWholeTexts();
  const instance = await DuckDBInstance.create(path, {
    memory_limit: options.memoryLimit ?? '1GB',
    threads: String(options.threads ?? 2),
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
  });
  const connection = await instance.connect();
  await openTables(connection);
  const stored = { catalog: await loadCatalog(connection), states: await loadStates(connection) };
  return new DuckdbStore(instance, connection, stored, options.maxSeries);
}

/** What a file holds at the start, besides points. */
interface Stored {
  readonly catalog: Catalog;
  readonly states: Awaited<ReturnType<typeof loadStates>>;
}

class DuckdbStore implements Store {
  readonly #jobs: WriteJob[] = [];
  readonly #waitingReaders: (() => void)[] = [];
  #readers = 0;
  /** The last link in the chain of writes. */
  #writing: Promise<void> = Promise.resolve();
  #isClosed = false;
  readonly #instance: DuckDBInstance;
  readonly #writer: DuckDBConnection;
  readonly #maxSeries: number | undefined;
  readonly #states: Stored['states'];
  catalog: Catalog;

  constructor(
    instance: DuckDBInstance,
    writer: DuckDBConnection,
    { catalog, states }: Stored,
    maxSeries: number | undefined
  ) {
    this.catalog = catalog;
    this.#states = states;
    this.#instance = instance;
    this.#writer = writer;
    this.#maxSeries = maxSeries;
  }

  createDatabase(name: string): Promise<void> {
    return this.#enqueue(async () => {
      if (this.catalog.databases.has(name)) return;
      const id = this.catalog.createId();
      await this.#writer.run('INSERT INTO databases VALUES ($1, $2)', [id, name]);
      this.catalog.addDatabase(name, id);
    });
  }

  readStates(database: string): ReadonlyMap<string, readonly string[]> {
    return this.#states.get(this.catalog.databases.get(database)?.id ?? -1) ?? new Map();
  }

  write(database: string, points: readonly Point[], states?: KeptStates): Promise<WriteOutcome> {
    return new Promise((resolve, reject) => {
      this.#jobs.push({ database, points, states, resolve, reject });
      if (this.#jobs.length === 1) this.#enqueue(() => this.#commitJobs()).catch(reject);
    });
  }

  dropSeries(choose: () => readonly DroppedSeries[]): Promise<void> {
    return this.#enqueue(async () => {
      const chosen = choose();
      if (chosen.length === 0) return;
      await deleteSeries(this.#writer, chosen);
      this.catalog = await loadCatalog(this.#writer);
    });
  }

  async read<T>(reader: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
    const connection = await this.#startReading();
    try {
      return await reader(connection);
    } finally {
      this.#endReading(connection);
    }
  }

  async *readEach<T>(
    reader: (connection: DuckDBConnection) => AsyncGenerator<T>,
    signal: AbortSignal
  ): AsyncGenerator<T> {
    const connection = await this.#startReading(signal);
    const interrupt = (): void => connection.interrupt();
    signal.addEventListener('abort', interrupt);
    try {
      yield* reader(connection);
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    } finally {
      signal.removeEventListener('abort', interrupt);
      this.#endReading(connection);
    }
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#writing;
    await this.#writer.run('CHECKPOINT').catch(() => undefined);
    this.#writer.closeSync();
    this.#instance.closeSync();
  }

  #enqueue(task: () => Promise<void>): Promise<void> {
    if (this.#isClosed) return Promise.reject(new Error('The store is closed'));
    const done = this.#writing.then(task);
    this.#writing = done.catch(() => undefined);
    return done;
  }

  /** Requests that come during a commit are committed together afterwards. */
  async #commitJobs(): Promise<void> {
    while (this.#jobs.length > 0) {
      const jobs = this.#takeJobs();
      const batch = new WriteBatch(this.catalog, this.#maxSeries);
      try {
        const outcomes = jobs.map((job) => this.#addJob(batch, job));
        await commitBatch(this.#writer, batch);
        jobs.forEach((job, i) => job.resolve(outcomes[i] ?? { kind: 'written' }));
      } catch (error) {
        this.catalog = await loadCatalog(this.#writer);
        for (const job of jobs) job.reject(error);
      }
      await rewriteWornTables(this.#writer, [...batch.rows.keys()]).catch(() => undefined);
    }
  }

  #takeJobs(): WriteJob[] {
    let points = 0;
    let count = 0;
    for (const job of this.#jobs) {
      points += job.points.length;
      if (count > 0 && points > MAX_BATCH_POINTS) break;
      count += 1;
    }
    return this.#jobs.splice(0, count);
  }

  #addJob(batch: WriteBatch, job: WriteJob): WriteOutcome {
    const database: Database | undefined = this.catalog.databases.get(job.database);
    if (!database) return { kind: 'database-not-found' };
    const dropped = batch.add(database, job.points);
    if (job.states !== undefined && job.states.size > 0) batch.keep(database, job.states);
    return { kind: 'written', ...(dropped && { dropped }) };
  }

  async #startReading(signal?: AbortSignal): Promise<DuckDBConnection> {
    if (this.#isClosed) throw new Error('The store is closed');
    signal?.throwIfAborted();
    if (this.#readers >= MAX_READERS) await this.#waitForReader(signal);
    else this.#readers += 1;
    return this.#instance.connect();
  }

  #waitForReader(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#waitingReaders.splice(this.#waitingReaders.indexOf(enter), 1);
        reject(signal?.reason as Error);
      };
      const enter = (): void => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      this.#waitingReaders.push(enter);
      signal?.addEventListener('abort', leave, { once: true });
    });
  }

  #endReading(connection: DuckDBConnection): void {
    connection.closeSync();
    const next = this.#waitingReaders.shift();
    if (next) next();
    else this.#readers -= 1;
  }
}
