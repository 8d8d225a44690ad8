/** The meaning of a click on a legend label: Grafana's `SeriesVisibilityChangeMode`, with its newer values. */
export type LegendClick = 'select' | 'append' | 'setExactly';

/**
 * The hidden names after a click.
 * `select` shows only that line, or all again when it was the only one; `append` turns that line on or off, or several;
 * `setExactly` shows just the labels, or all when there are none. Names outside the graph at hand keep their state,
 * and a name that appears later is visible: unlike Grafana's own override, which lists what is shown.
 * @param names the names of the graph whose legend was clicked
 */
export function clickLegend(
  hidden: ReadonlySet<string>,
  names: readonly string[],
  label: string | readonly string[] | null,
  click: LegendClick
): ReadonlySet<string> {
  const others = [...hidden].filter((name) => !names.includes(name));
  const showOnly = (shown: readonly string[]): ReadonlySet<string> =>
    new Set([...others, ...names.filter((name) => !shown.includes(name))]);
  if (label === null) return new Set(others);
  const labels = typeof label === 'string' ? [label] : label;
  if (click === 'setExactly') return showOnly(labels);
  const visible = names.filter((name) => !hidden.has(name));
  if (click === 'append') {
    const isOn = labels.some((name) => visible.includes(name));
    return showOnly(names.filter((name) => (labels.includes(name) ? !isOn : visible.includes(name))));
  }
  const isOnlyOne = visible.length === labels.length && labels.every((name) => visible.includes(name));
  return isOnlyOne ? new Set(others) : showOnly(labels);
}
