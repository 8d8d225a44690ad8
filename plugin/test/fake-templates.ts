import type { TemplateSource } from '../src/template/template.js';

type Value = string | readonly string[];

/**
 * Variables as Grafana's TemplateSrv fills them in: a custom format gets a string, or an array where several may be
 * selected.
 */
export function createTemplates(values: Readonly<Record<string, Value>>, all: readonly string[] = []): TemplateSource {
  return {
    getVariables: () =>
      Object.entries(values).map(([name, value]) => ({
        name,
        current: { value: all.includes(name) ? ['$__all'] : value },
      })),
    replace: (text, scopedVars, format) =>
      text.replace(/\$(\w+)|\$\{(\w+)(?::\w+)?\}|\[\[(\w+)\]\]/g, (whole, ...groups: unknown[]) => {
        const name = groups.slice(0, 3).find((group): group is string => typeof group === 'string') ?? '';
        const value: unknown = scopedVars?.[name]?.value ?? values[name];
        if (value === undefined) return whole;
        return format === undefined ? JSON.stringify(value) : format(value);
      }),
  };
}
