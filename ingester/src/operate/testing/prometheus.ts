/** One metric of Prometheus' text format. */
export interface Metric {
  readonly type: string;
  readonly help: string;
  /** Values by the sample's name with its labels. */
  readonly samples: Map<string, number>;
}

const NAME = '[a-zA-Z_:][a-zA-Z0-9_:]*';
const LABELS = '\\{(?:[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\\\\n]|\\\\[\\\\"n])*",?)*\\}';
const HELP = new RegExp(`^# HELP (${NAME}) (.+)$`);
const TYPE = new RegExp(`^# TYPE (${NAME}) (counter|gauge|histogram|summary|untyped)$`);
const SAMPLE = new RegExp(`^(${NAME})(${LABELS})? ([+-]?(?:\\d+(?:\\.\\d+)?(?:[eE][+-]?\\d+)?|Inf)|NaN)$`);
/** A summary and a histogram have samples of their own names. */
const SUFFIX = /_(?:sum|count|bucket)$/;

/** Reads Prometheus' text format 0.0.4 (its documentation, "Exposition formats"). Throws at anything else. */
export function parsePrometheusText(text: string): Map<string, Metric> {
  if (!text.endsWith('\n')) throw new Error('the last line has no end');
  const metrics = new Map<string, Metric>();
  const helps = new Map<string, string>();
  for (const line of text.slice(0, -1).split('\n')) {
    if (line === '') continue;
    const [, helpName, help = ''] = HELP.exec(line) ?? [];
    const [, typeName, type = ''] = TYPE.exec(line) ?? [];
    if (helpName !== undefined) helps.set(helpName, help);
    else if (typeName !== undefined) {
      if (metrics.has(typeName)) throw new Error(`twice: ${line}`);
      metrics.set(typeName, { type, help: helps.get(typeName) ?? '', samples: new Map() });
    } else readSample(line, metrics);
  }
  return metrics;
}

function readSample(line: string, metrics: ReadonlyMap<string, Metric>): void {
  const [, name = '', labels = '', value] = SAMPLE.exec(line) ?? [];
  if (value === undefined) throw new Error(`not of the format: ${line}`);
  const metric = metrics.get(name) ?? metrics.get(name.replace(SUFFIX, ''));
  if (metric === undefined) throw new Error(`no TYPE before: ${line}`);
  if (metric.samples.has(name + labels)) throw new Error(`twice: ${line}`);
  metric.samples.set(name + labels, Number(value.replace('Inf', 'Infinity')));
}
