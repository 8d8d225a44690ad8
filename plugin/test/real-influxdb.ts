/** A real InfluxDB 1.x for one suite. */
export interface Influxdb {
  readonly url: string;
  stop(): Promise<void>;
}

interface Components {
  readonly describeWith: (components: readonly string[], name: string, suite: () => void) => void;
}
interface InfluxdbStarter {
  readonly startInfluxdb: (options?: { auth: { user: string; password: string } }) => Promise<Influxdb>;
}

// The repository's own test helpers belong to another TypeScript project.
export const { describeWith } = jest.requireActual<Components>('../../test/components');
export const { startInfluxdb } = jest.requireActual<InfluxdbStarter>('../../test/influxdb');
