import { expect, test } from '@grafana/plugin-e2e';

const {
  JOBLENS_GRAFANA_URL: grafanaUrl = '',
  JOBLENS_INFLUX_URL: influxUrl = 'http://127.0.0.1:8086',
  JOBLENS_READ_TOKEN: readToken,
} = process.env;

/** What the settings say, and what "Save & test" then says: Grafana's proxy is on the way of each answer. */
const CASES = [
  ['a database with jobs', influxUrl, 'joblens', 'success', /^Connected to InfluxDB.*holds logged jobs/],
  ['a database that is not there', influxUrl, 'nothing-here', 'error', /has no database "nothing-here"/],
  ['a server that does not answer', 'http://127.0.0.1:9', 'joblens', 'error', /cannot be reached/],
  ['a server of another kind', grafanaUrl, 'joblens', 'error', /is not InfluxDB/],
] as const;

for (const [name, url, database, severity, message] of CASES) {
  test(`Save & test with ${name}`, async ({ createDataSourceConfigPage, page }) => {
    const config = await createDataSourceConfigPage({ type: 'joblens-datasource' });
    await page.locator('#joblens-url').fill(url);
    await page.locator('#joblens-database').fill(database);
    if (readToken !== undefined && url === influxUrl) {
      await page.locator('#joblens-auth').fill('Token');
      await page.keyboard.press('Enter');
      await page.locator('#joblens-token').fill(readToken);
    }
    await config.saveAndTest({ path: '/query' });
    await expect(config).toHaveAlert(severity, { hasText: message });
  });
}
