import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { restrict, type Rights } from '@joblens/core/gateway/restrict';
import { parseQuery } from '@joblens/core/influxql/parse';
import { printStatements } from '@joblens/core/influxql/print';

const RIGHTS: Rights = { kind: 'some', users: ["o'hara (x)"], jobs: [{ user: 'bob', job: 'a.b' }] };

/** An hour after the times of the statements. */
const OPTIONS = { database: 'joblens', nowNs: BigInt(Date.parse('2023-11-14T23:00:00Z')) * 1_000_000n };

/** A statement of a list: its shape with values in it. */
function fillIn(shape: string): string {
  return shape
    .replace(/(, | OR | AND )…/g, '')
    .replace(/\btime ([<>=]+) '…'/g, "time $1 '2023-11-14T22:00:00Z'")
    .replace(/time\(N/g, 'time(10s')
    .replace(/\bN\b/g, '1');
}

describe.each(['commands', 'data-source'])('each statement of the %s', (sender) => {
  const file = join(__dirname, '..', 'engines', `statements-of-${sender}.txt`);
  const shapes = readFileSync(file, 'utf8').trim().split('\n');

  const removing = shapes.filter((shape) => /^(?:DROP|DELETE) /.test(shape));
  it('is refused where it removes something', () => {
    const rules = removing.map((shape) => restrict(fillIn(shape), RIGHTS, OPTIONS));
    expect(rules.map((one) => one.kind === 'refused' && one.rule)).toEqual(removing.map(() => 'statement'));
  });

  // `joblens doctor` also asks how the server is set up, which is for its operator.
  const reading = shapes.filter((shape) => !removing.includes(shape) && shape !== 'SHOW DIAGNOSTICS');
  it.each(reading.map((shape) => ({ shape, text: fillIn(shape) })))('is answered: $shape', ({ text }) => {
    const restricted = restrict(text, RIGHTS, OPTIONS);
    expect(restricted).toMatchObject({ kind: 'steps', steps: [{}] });
    const steps = restricted.kind === 'steps' ? restricted.steps : [];
    const statements = steps.flatMap((step) => (step.kind === 'ask' ? [step.statement] : step.statements));
    for (const statement of statements) {
      expect(statement).toContain(`"user"::tag = 'o\\'hara (x)'`);
      const parsed = parseQuery(statement);
      expect(parsed.ok && printStatements(parsed.value)).toBe(statement);
    }
  });
});
