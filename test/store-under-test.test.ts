import { describeWith } from './components.js';
import { type Influxdb, querySeries, startInfluxdb } from './influxdb.js';
import { emptyServer } from './store-under-test.js';

describeWith(['influxd'], 'another server than an InfluxDB of our own', () => {
  let influxdb: Influxdb;
  beforeAll(async () => {
    influxdb = await startInfluxdb();
  });
  afterAll(() => influxdb.stop());

  const listDatabases = async (): Promise<unknown> =>
    (await querySeries(influxdb.url, 'SHOW DATABASES'))[0]?.values.flat().filter((name) => name !== '_internal');

  it('keeps databases that no test made', async () => {
    await expect(emptyServer(influxdb.url)).rejects.toThrow(
      /has databases that no test made: joblens; set JOBLENS_TEST/
    );
    expect(await listDatabases()).toEqual(['joblens']);
  });

  it('is empty for each suite', async () => {
    await querySeries(influxdb.url, 'DROP DATABASE "joblens"');
    await emptyServer(influxdb.url);
    await querySeries(influxdb.url, 'CREATE DATABASE "a ""case"""'.replaceAll('""', '\\"'));
    await fetch(`${influxdb.url}/write?db=joblens`, { method: 'POST', body: 'm x=1 1' });
    await emptyServer(influxdb.url);
    expect(await listDatabases()).toEqual(['joblens_tests', 'joblens']);
    expect(await querySeries(influxdb.url, 'SELECT * FROM m')).toEqual([]);
  });
});
