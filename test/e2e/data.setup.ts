import { expect, test as setup } from '@playwright/test';
import { createDemoData } from '../whole-way/demo-data.js';
import { createPartReadJob } from '../whole-way/part-read-job.js';

const {
  JOBLENS_GRAFANA_URL: grafanaUrl,
  JOBLENS_INFLUX_URL: influxUrl = 'http://127.0.0.1:8086',
  JOBLENS_INFLUX_TOKEN: influxToken,
  // Variables of the page that playwright.config.mjs starts.
  JOBLENS_PAGE_URL: pageUrl = '',
  JOBLENS_PAGE_TOKEN: pageToken = '',
} = process.env;

/** The store behind the page, or behind the Grafana, that the tests look at. */
const store =
  grafanaUrl === undefined
    ? { url: pageUrl, headers: createHeaders(pageToken) }
    : { url: influxUrl, headers: createHeaders(influxToken) };

function createHeaders(token: string | undefined): Record<string, string> {
  return token === undefined ? {} : { authorization: `Token ${token}` };
}

setup('write the demo jobs', async ({ request }) => {
  const { url, headers } = store;
  for (const data of [createDemoData(), createPartReadJob()]) {
    const answer = await request.post(`${url.replace(/\/$/, '')}/write?db=joblens`, { headers, data });
    expect(answer.status(), await answer.text()).toBe(204);
  }
});

if (grafanaUrl === undefined) {
  setup('open the page with its token', async ({ request }) => {
    await expect(await request.get(`/?token=${pageToken}`)).toBeOK();
    await request.storageState({ path: 'node_modules/.cache/e2e/session.json' });
  });
}
