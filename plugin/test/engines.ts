/** What stands for openGemini before an InfluxDB. */
export interface StrictStore {
  readonly url: string;
  readonly asked: readonly string[];
  readonly killedBy: string | undefined;
  stop(): Promise<void>;
}

interface StrictStoreStarter {
  readonly startStrictStore: (influxdbUrl: string) => Promise<StrictStore>;
}
interface StoredJobs {
  readonly DATABASE: Readonly<Record<'full' | 'fresh' | 'others', string>>;
  readonly writeStoredJobs: (influxdbUrl: string, url: string) => Promise<{ writeLaterRows(): Promise<void> }>;
}
interface StatementList {
  readonly checkStatements: (sender: 'data-source', queries: readonly string[]) => void;
}

// The repository's own test helpers belong to another TypeScript project.
export const { startStrictStore } = jest.requireActual<StrictStoreStarter>('../../test/engines/strict-store');
export const { DATABASE, writeStoredJobs } = jest.requireActual<StoredJobs>('../../test/engines/stored-jobs');
export const { checkStatements } = jest.requireActual<StatementList>('../../test/engines/statement-list');
