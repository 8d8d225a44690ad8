import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const ROOT = join(__dirname, '../..');
const FOLDERS = ['ingester/src', 'standalone/src', 'client/src'];
/** What asks a file system, by the last word of what is called: Node's functions, and those of our own interfaces. */
const ASKS =
  /^(?:access|stat|lstat|open|readFile|readdir|realpath|readlink|fstat|copyFile)(?:Sync)?$|^(?:list|lookUp|listFolder|syncFolder|makeFolder|rename|touch|createReadStream|identifyFile)$/;
/** The modules that tell "not there" from "unknown": who uses them has to say what is unknown. */
const TELLING = /\/(?:result\/is-gone|host\/process-files|process-files|may-be-there|parts\/look|look)(?:\.js)?$/;
/** They take each error for "not there", or say so of some. */
const NEVER = new Set(['existsSync', 'throwIfNoEntry']);

/** A place that decides what an error of the file system means. */
export interface Place {
  /** `file: function`, as `ingester/src/host/host-facts.ts: readHostFacts`. */
  readonly name: string;
  /** `swallows`: whatever the error, it goes on. `tells`: it asks what that says. `never`: a form that is not used. */
  readonly kind: 'swallows' | 'tells' | 'never';
}

/** All such places in the sources, each once. */
export function findPlaces(): readonly Place[] {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !/\.test\.ts$|(?:^|\/)testing\//.test(name))
      .map((name) => `${folder}/${name}`)
  );
  const found = files.flatMap((file) => findIn(file, readFileSync(join(ROOT, file), 'utf8')));
  return [...new Map(found.map((place) => [`${place.kind} ${place.name}`, place])).values()];
}

export function findIn(file: string, text: string): readonly Place[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: Place[] = [];
  const tells = new Set(source.statements.flatMap(listTelling));
  const visit = (node: ts.Node): void => {
    const kind = judge(node, tells);
    if (kind !== undefined) found.push({ name: `${file}: ${nameAround(node)}`, kind });
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** The names that a module imports of those that tell. */
function listTelling(statement: ts.Statement): string[] {
  if (!ts.isImportDeclaration(statement) || !TELLING.test((statement.moduleSpecifier as ts.StringLiteral).text))
    return [];
  const names = statement.importClause?.namedBindings;
  return names !== undefined && ts.isNamedImports(names) ? names.elements.map(({ name }) => name.text) : [];
}

function judge(node: ts.Node, tells: ReadonlySet<string>): Place['kind'] | undefined {
  if (ts.isCatchClause(node)) {
    const isUnused = node.variableDeclaration === undefined;
    return isUnused && asks(node.parent.tryBlock) ? 'swallows' : undefined;
  }
  if (ts.isCallExpression(node) && isSwallowed(node)) return 'swallows';
  if (ts.isStringLiteral(node) && (node.text === 'ENOENT' || node.text === 'ENOTDIR')) return 'tells';
  if (!ts.isIdentifier(node) || ts.isImportSpecifier(node.parent) || isMember(node)) return undefined;
  if (NEVER.has(node.text)) return 'never';
  return tells.has(node.text) ? 'tells' : undefined;
}

/** `asked.catch(() => …)` and `asked.then(…, () => …)`. */
function isSwallowed({ expression, arguments: [first, second] }: ts.CallExpression): boolean {
  if (!ts.isPropertyAccessExpression(expression) || !asks(expression.expression)) return false;
  const handler = { catch: first, then: second }[expression.name.text];
  return handler !== undefined && ts.isArrowFunction(handler) && handler.parameters.length === 0;
}

/** `x.isThere` is of another thing. */
function isMember({ parent, text }: ts.Identifier): boolean {
  return ts.isPropertyAccessExpression(parent) && parent.name.text === text;
}

function asks(node: ts.Node): boolean {
  if (ts.isCallExpression(node) && ASKS.test(lastWord(node.expression))) return true;
  return ts.forEachChild(node, (child) => asks(child) || undefined) ?? false;
}

function lastWord(node: ts.Expression): string {
  if (ts.isPropertyAccessExpression(node)) return node.name.text;
  return ts.isIdentifier(node) ? node.text : '';
}

function nameAround(node: ts.Node): string {
  const named = ts.findAncestor(node, (at) => ts.isFunctionDeclaration(at) || ts.isMethodDeclaration(at));
  return (named as ts.FunctionDeclaration | undefined)?.name?.getText() ?? 'the file';
}
