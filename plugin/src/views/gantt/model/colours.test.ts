import { createTheme } from '@grafana/data';
import fc from 'fast-check';
import { assignColours, chooseBarLooks } from './colours.js';

it('gives names colours of their own while there are any, and keeps them when others come', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.string(), { maxLength: 30 }), fc.nat(29), (names, early) => {
      const known = new Map<string, number>();
      const first = assignColours(names.slice(0, early), 30, known);
      const all = assignColours(names, 30, known);
      expect(all.slice(0, first.length)).toEqual(first);
      expect(new Set(all).size).toBe(names.length);
    })
  );
});

it('gives a name the same colour on every page', () => {
  const [alone] = assignColours(['train-step (1)'], 40, new Map());
  expect(assignColours(['load', 'train-step (1)'], 40, new Map())[1]).toBe(alone);
});

it('shares colours where there are more names than colours', () => {
  const names = Array.from({ length: 100 }, (_, at) => `name-${at}`);
  expect(new Set(assignColours(names, 7, new Map())).size).toBe(7);
});

it.each(['#181b1f', '#ffffff'])(
  'takes the colours that stand out from %s, with words that can be read',
  (background) => {
    const looks = chooseBarLooks(['#73bf69', '#ffffff', '#181b1f', '#f2495c', 'not a colour', '#73bf69'], background);
    expect(looks.map(({ fill }) => fill)).not.toContain(background);
    expect(looks.map(({ fill }) => fill)).toEqual(expect.arrayContaining(['#73bf69', '#f2495c']));
    expect(looks.find(({ fill }) => fill === '#73bf69')?.text).toBe('#000000');
    expect(new Set(looks.map(({ fill }) => fill)).size).toBe(looks.length);
  }
);

const BROWNS = ['#c15c17', '#967302', '#99440a'];

it.each([
  [
    'leaves browns and dull colours out on a dark page',
    '#181b1f',
    ['#ff9830', '#f2cc0c', '#c4162a', '#e02f44'],
    ['#e02f44', '#f2cc0c', '#ff9830'],
  ],
  ['takes them on a light page', '#ffffff', ['#c4162a'], [...BROWNS, '#c4162a']],
])('%s', (_name, background, others, expected) => {
  const looks = chooseBarLooks([...BROWNS, ...others, '#2f575e'], background);
  expect(looks.map(({ fill }) => fill)).toEqual(expect.arrayContaining([...expected]));
  expect(looks.some(({ fill }) => BROWNS.includes(fill))).toBe(background === '#ffffff');
  expect(looks.some(({ fill }) => fill === '#2f575e')).toBe(background === '#ffffff');
});

it.each([true, false])('has more than twenty colours of Grafana (dark: %p)', (isDark) => {
  const { visualization, colors } = createTheme({ colors: { mode: isDark ? 'dark' : 'light' } });
  const palette = visualization.palette.map((name) => visualization.getColorByName(name));
  const background = colors.background?.primary ?? '';
  expect(background).toMatch(/^#/);
  expect(chooseBarLooks(palette, background).length).toBeGreaterThan(20);
});

it('has a colour where the palette has none', () => {
  expect(chooseBarLooks([], '#000')).toHaveLength(1);
});
