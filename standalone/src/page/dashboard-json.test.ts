import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readDashboard, type Json } from './dashboard-json.js';

const FOLDER = join(__dirname, '..', '..', '..', 'dashboards');
/** The panel types that the page can draw (plugin-registry.ts). */
const PANEL_TYPES = ['joblens-panel', 'stat', 'table', 'text'];
/** The types of variables that it can show (dashboard-scene.ts). */
const VARIABLE_TYPES = ['query', 'custom', 'textbox', 'constant', 'interval'];

const panel = (id: number, type = 'table'): Json => ({ id, type, title: `P${id}` });

describe('readDashboard', () => {
  it.each(readdirSync(FOLDER).filter((name) => name.endsWith('.json')))('draws all of %s', (name) => {
    const dashboard = readDashboard(JSON.parse(readFileSync(join(FOLDER, name), 'utf8')) as Json);
    const panels = [...dashboard.panels, ...dashboard.rows.flatMap((row) => row.panels)];
    expect(panels.length).toBeGreaterThan(0);
    for (const { type, targets, position } of panels) {
      expect(PANEL_TYPES).toContain(type);
      expect(type === 'text' || targets.length > 0).toBe(true);
      expect(position.x + position.w).toBeLessThanOrEqual(24);
    }
    expect(dashboard.variables.map(({ type }) => type).every((type) => VARIABLE_TYPES.includes(type))).toBe(true);
  });

  it('gives the panels after an open row to that row, and a collapsed row its own', () => {
    const { panels, rows } = readDashboard({
      panels: [
        panel(1),
        { type: 'row', title: 'A', collapsed: false, panels: [], gridPos: { y: 9 } },
        panel(2),
        panel(3),
        { type: 'row', title: 'B', collapsed: true, panels: [panel(4)] },
      ],
    });
    expect(panels.map(({ id }) => id)).toEqual([1]);
    expect(
      rows.map(({ title, y, isCollapsed, panels: own }) => [title, y, isCollapsed, own.map(({ id }) => id)])
    ).toEqual([
      ['A', 9, false, [2, 3]],
      ['B', 0, true, [4]],
    ]);
  });

  it('takes the annotations of data sources, not those that Grafana keeps itself', () => {
    const datasource = { type: 'joblens-datasource', uid: 'joblens' };
    const list = [{ builtIn: 1, datasource, name: 'own' }, { datasource, name: 'A' }, { name: 'lost' }];
    const { annotations } = readDashboard({
      annotations: { list: [...list, { datasource, enable: false, hide: true }] },
    });
    expect(annotations.map(({ name, isEnabled, isHidden }) => [name, isEnabled, isHidden])).toEqual([
      ['A', true, false],
      ['', false, true],
    ]);
  });

  it.each([
    ['nothing', {}],
    ['fields of other types', { panels: 'x', templating: [], time: 3, links: {}, title: 1, refresh: false }],
    ['lists of other things', { panels: [1, null, 'x'], templating: { list: [null] }, links: [{ type: 'link' }] }],
  ])('makes the best of %s', (_name, json) => {
    expect(readDashboard(json)).toMatchObject({
      title: 'Dashboard',
      from: 'now-6h',
      to: 'now',
      refresh: '',
      panels: [],
      rows: [],
      variables: [],
      links: [],
      annotations: [],
    });
  });

  it.each([
    ['one value', { value: 'ann', text: 'Ann' }, 'ann', 'Ann'],
    ['many values', { value: ['a', 'b'], text: ['A', 'B'] }, ['a', 'b'], ['A', 'B']],
    ['no value yet', {}, '', ''],
    ['a value without its text', { value: ['a'] }, ['a'], ['a']],
  ])('reads a variable with %s', (_name, current, value, text) => {
    const { variables } = readDashboard({ templating: { list: [{ type: 'query', name: 'user', current }] } });
    expect(variables).toEqual([expect.objectContaining({ name: 'user', value, text })]);
  });
});
