import { createTables } from '../../../parts/components/tables.js';
import { createTableFrame } from '../../../testing/frames.js';
import { createGraphs, type GraphModel } from '../lines/graphs.js';
import { isScrolled, planSections, shareHeight, type PickMemory, type SectionPlan } from './section-plan.js';
import { createSettings, readGraphOptions, type GraphSettings } from './settings.js';

const DEFAULTS = createSettings(readGraphOptions({}), String);

/** Tables of rising X; each key has the size that its number says. */
function graphsOf(...tables: readonly (readonly string[])[]): readonly GraphModel[] {
  const frames = tables.map((keys, table) =>
    createTableFrame({
      rows: [1, 2, 3].map((row) => ({
        [`x${table}`]: row,
        ...Object.fromEntries(keys.map((key, index) => [key, 100 ** index * (4 - row) + 0.5])),
      })),
    })
  );
  return createGraphs(createTables(frames), { kind: 'auto' });
}

interface Case {
  readonly settings?: Partial<GraphSettings>;
  readonly hidden?: readonly string[];
  readonly width?: number;
  readonly height?: number;
  readonly memory?: PickMemory;
}

function plan(
  graphs: readonly GraphModel[],
  { settings, hidden = [], width = 900, height = 500, memory }: Case = {}
): readonly SectionPlan[] {
  const input = { graphs, settings: { ...DEFAULTS, ...settings }, hidden: new Set(hidden), width, height };
  return planSections(input, memory ?? new Map<string, ReadonlySet<string>>());
}

const titlesOf = ([section]: readonly SectionPlan[]): string[] | undefined => section?.panes.map(({ title }) => title);
const KEYS = ['loss', 'acc', 'lr'];
const MANY = Array.from({ length: 30 }, (_, index) => `k${'x'.repeat(index)}`);

it.each<[string, Case, string[]]>([
  ['all', {}, KEYS],
  ['those with a visible line', { hidden: ['acc'] }, ['loss', 'lr']],
  ['those that the filter passes', { settings: { filter: 'l' } }, ['loss', 'lr']],
  ['one by choice', { settings: { layout: 'one' } }, ['']],
])('draws %s', (_name, input, titles) => {
  expect(titlesOf(plan(graphsOf(KEYS), input))).toEqual(titles);
});

it.each<[string, Case, SectionPlan['legend']]>([
  ['the heads of several graphs', {}, 'heads'],
  ['the head of one graph', { settings: { layout: 'one' } }, 'heads'],
  ['a list below one graph whose head is too short', { settings: { layout: 'one' }, width: 100 }, 'bottom-list'],
  ['a list by choice', { settings: { legend: 'list' } }, 'bottom-list'],
  ['a table beside', { settings: { legend: 'table' } }, 'right-table'],
  ['a table below where it is narrow', { settings: { legend: 'table' }, width: 400 }, 'bottom-table'],
  ['nowhere', { settings: { legend: 'hidden' } }, 'none'],
])('has the legend in %s', (_name, input, legend) => {
  expect(plan(graphsOf(KEYS), input)[0]?.legend).toBe(legend);
});

it.each([
  [900, 'right-list'],
  [400, 'bottom-list'],
])('has the many names of one graph that is %p wide in a %s', (width, legend) => {
  expect(plan(graphsOf(MANY), { settings: { layout: 'one' }, width })[0]?.legend).toBe(legend);
});

/** Tables of many tasks of a job. */
function graphsOfTasks(count: number): readonly GraphModel[] {
  const frames = Array.from({ length: count }, (_, task) =>
    createTableFrame({
      task: String(task),
      rows: [1, 2, 3].map((step) => ({ step, loss: 4 - step, rate: 1000 / step })),
    })
  );
  return createGraphs(createTables(frames), { kind: 'auto' });
}

it.each<[number, Case, SectionPlan['legend']]>([
  [2, {}, 'heads'],
  [20, {}, 'right-owners'],
  [20, { width: 500 }, 'bottom-owners'],
  [20, { settings: { legend: 'list' } }, 'bottom-list'],
  [20, { settings: { layout: 'one' } }, 'right-list'],
])('has a legend of %d tasks, not of their lines, where heads are too short: %p', (tasks, input, legend) => {
  const [section] = plan(graphsOfTasks(tasks), input);
  expect(section?.legend).toBe(legend);
  if (legend.endsWith('owners')) expect(titlesOf([section as SectionPlan])).toEqual(['loss', 'rate']);
});

it('has a row of the legend for each name where no two fit beside each other', () => {
  const names = ['x'.repeat(10), 'y'.repeat(10), 'z'.repeat(10)];
  const [wide, narrow] = [400, 210].map(
    (width) => plan(graphsOf(names), { settings: { layout: 'one', legend: 'list' }, width })[0]?.legendPx ?? 0
  );
  // Each is 108 px wide.
  expect([wide, narrow]).toEqual([22 + 4, 3 * 22 + 4]);
});

it('has the names of hidden graphs within reach', () => {
  const [section] = plan(graphsOf(KEYS), { hidden: ['acc', 'lr'] });
  expect(section?.hiddenLines.map(({ name }) => name)).toEqual(['acc', 'lr']);
  expect(section?.legendPx).toBeGreaterThan(0);
});

it('shows a dozen of many graphs at first, all when asked, and any by the filter', () => {
  const graphs = graphsOf(MANY);
  const [first] = plan(graphs);
  expect([first?.panes.length, first?.allPanes.length, first?.hasPick]).toEqual([12, 30, true]);
  expect(plan(graphs, { settings: { showsAll: true } })[0]).toMatchObject({ hasPick: true, panes: { length: 30 } });
  expect(plan(graphs, { settings: { filter: 'k' } })[0]).toMatchObject({ hasPick: false, panes: { length: 30 } });
});

it('folds what only counts on', () => {
  const rows = [1, 2, 3, 4].map((epoch) => ({ epoch, step: epoch * 100, loss: 4 - epoch, 'lr (a)': 1e-5 / epoch }));
  const graphs = createGraphs(createTables([createTableFrame({ rows })]), { kind: 'auto' });
  const [section] = plan(graphs);
  expect(section?.panes.map(({ title }) => title)).toEqual(['loss', 'lr (a)']);
  expect([section?.hasPick, section?.allPanes.length]).toEqual([true, 3]);
  const [whole] = plan(graphs, { settings: { showsAll: true } });
  expect(whole?.panes.map(({ title }) => title)).toEqual(['loss', 'lr (a)', 'step']);
});

it('keeps the picked graphs while rows come in', () => {
  const memory: PickMemory = new Map();
  const before = titlesOf(plan(graphsOf(MANY), { memory }));
  const still = graphsOf(MANY).map((graph) => ({
    ...graph,
    lines: graph.lines.map((line) => ({ ...line, ys: before?.includes(line.name) ? [1, 1] : [0, 1] })),
  }));
  expect(new Set(titlesOf(plan(still, { memory })))).toEqual(new Set(before));
});

it('fits sections into the height where there is room, and leaves room for the scroll bar where there is not', () => {
  const graphs = graphsOf(KEYS, ['other']);
  const fitting = plan(graphs, { height: 620 });
  expect(isScrolled(fitting, 620)).toBe(false);
  expect(fitting.map(({ widthPx }) => widthPx)).toEqual([900, 900]);
  const scrolled = plan(graphs, { width: 400, height: 300 });
  expect(isScrolled(scrolled, 300)).toBe(true);
  expect(scrolled.map(({ widthPx }) => widthPx)).toEqual([386, 386]);
});

it.each<[number[], number, number[]]>([
  [[1], 500, [500]],
  [[3, 1], 600, [416, 184]],
  [[1, 1], 100, [184, 184]],
  [[1, 1], 1000, [500, 500]],
])('shares by the weights %p a height of %p', (weights, height, shares) => {
  expect(shareHeight(weights, height)).toEqual(shares);
});
