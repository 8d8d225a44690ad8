/** @jest-environment node */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import grafanaExports from './grafana-exports.json';

/** Names that some Grafana lacks: each is used only behind a check that it is there. */
const CHECKED_FALLBACKS: Readonly<Record<string, readonly string[]>> = {};

/** React 17 has not the first ones, React 19 not the last. */
const REACT_MISSING = new Set(
  'use useId useSyncExternalStore useDeferredValue useTransition useInsertionEffect useOptimistic useActionState startTransition'
    .concat(' render hydrate findDOMNode unmountComponentAtNode createFactory')
    .split(' ')
);

const source = join(__dirname, '..', 'src');
const available: Readonly<Record<string, readonly string[]>> = grafanaExports.packages;

interface ImportedName {
  readonly file: string;
  readonly from: string;
  readonly name: string;
}

/** The names that a file imports as values; types are gone at run time. */
function listImports(file: string): ImportedName[] {
  const text = readFileSync(join(source, file), 'utf8');
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  return tree.statements.filter(ts.isImportDeclaration).flatMap((statement) => {
    const clause = statement.importClause;
    const from = ts.isStringLiteral(statement.moduleSpecifier) ? statement.moduleSpecifier.text : '';
    if (clause === undefined || clause.isTypeOnly) return [];
    const { namedBindings } = clause;
    if (namedBindings === undefined) return [];
    if (ts.isNamespaceImport(namedBindings)) return [{ file, from, name: '*' }];
    return namedBindings.elements
      .filter((element) => !element.isTypeOnly)
      .map((element) => ({ file, from, name: (element.propertyName ?? element.name).text }));
  });
}

const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
  (file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file)
);
const imports = files.flatMap(listImports);

describe('what the plugin takes from Grafana', () => {
  it('is known for 9.5 to 13', () => {
    expect(grafanaExports.versions.map((version) => Number.parseInt(version, 10))).toEqual([9, 10, 11, 12, 13]);
    expect(imports.length).toBeGreaterThan(20);
  });

  it.each(Object.keys(available))('is in %s of every version, or checked before use', (name) => {
    const missing = imports
      .filter(({ from }) => from === name)
      .filter((imported) => !available[name]?.includes(imported.name))
      .filter((imported) => !CHECKED_FALLBACKS[name]?.includes(imported.name));
    expect(missing).toEqual([]);
  });

  it('is nothing of other @grafana packages, which Grafana does not share', () => {
    const others = imports.filter(({ from }) => from.startsWith('@grafana/') && !(from in available));
    expect(others).toEqual([]);
  });

  it('is nothing of React that 17 or 19 lacks', () => {
    const names = imports.filter(({ from }) => from === 'react' || from === 'react-dom');
    expect(names.filter(({ name }) => REACT_MISSING.has(name))).toEqual([]);
    expect(
      files.filter((file) =>
        /\bjsx-runtime\b|react-dom\/client|\.defaultProps\s*=/.test(readFileSync(join(source, file), 'utf8'))
      )
    ).toEqual([]);
  });
});
