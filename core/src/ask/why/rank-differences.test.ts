import { rankDifferences } from './rank-differences.js';
import { createRegressionFacts, REGRESSIONS } from './testing/regressions.js';

const PACKAGES: Readonly<Record<string, string>> = { numpy: '1.23.5', 'ruamel.yaml': '0.18', torch: '2.3.0' };
const list = (versions: Readonly<Record<string, string>>): string[] =>
  Object.entries(versions).map(([name, version]) => `${name}==${version}`);

describe('what differs from jobs that went well', () => {
  it.each([3, 2, 1])(
    'has the cause of a planted regression among its first three lines, beside %d such jobs',
    (count) => {
      const missed = REGRESSIONS.flatMap((regression) => {
        const { title, reason, packages, tells } = regression;
        const texts =
          packages === undefined ? {} : { packages: [list(PACKAGES), list({ ...PACKAGES, ...packages })] as const };
        const differences = rankDifferences({ facts: createRegressionFacts(regression, count), reason, texts });
        const lines = differences.map(({ name, text }) => `${name} ${text}`);
        return lines.slice(0, 3).some((line) => line.includes(tells)) ? [] : [[title, ...lines]];
      });
      expect(REGRESSIONS.length).toBeGreaterThanOrEqual(20);
      expect(missed).toEqual([]);
    }
  );

  it('is left out where a job that went well had the value, too', () => {
    const facts = createRegressionFacts({ changed: {} }, 2).map((fact) =>
      fact.name === 'config.epochs' ? { ...fact, values: [10, 20, 20], differs: true } : fact
    );
    expect(rankDifferences({ facts, reason: undefined }).map(({ name }) => name)).not.toContain('config.epochs');
  });

  it('names packages and the files of changes that were not committed, the first few', () => {
    const facts = createRegressionFacts({ changed: { packages: 'b', patch: 'c, 9 lines', 'lock.uv.lock': 'b' } }, 1);
    const patch = (files: readonly string[], line: string): string[] =>
      files.flatMap((file) => [`diff --git a/${file} b/${file}`, '@@ -1 +1 @@', line]);
    const files = ['a (1).py', 'b.py', 'c.py', 'd.py', 'e.py'];
    const texts = {
      packages: [list(PACKAGES), ['numpy==1.23.5', 'torch=2.4.0', 'einops==0.8']] as const,
      patch: [patch(['same.py'], '+x'), [...patch(['same.py'], '+x'), ...patch(files, '+y')]] as const,
    };
    const [code, packages] = rankDifferences({ facts, reason: undefined, texts });
    expect(code).toEqual({
      ...{ risk: 'code', name: 'code' },
      text: 'uncommitted changes  → c, 9 lines, in a (1).py, b.py, c.py, d.py and 1 more',
    });
    expect(packages?.text).toBe('torch 2.3.0 → 2.4.0, einops 0.8 is new, ruamel.yaml 0.18 is gone');
  });

  it('says what is there only now, what no longer, and of a long text what is other in it', () => {
    const tell = (before: string | undefined, after: string | undefined): unknown => {
      const fact = {
        kind: 'config',
        risk: 'config',
        name: 'config.a',
        differs: true,
        values: [before, after],
      } as const;
      return rankDifferences({ facts: [fact], reason: undefined })[0]?.text;
    };
    expect(tell(undefined, 'x (1)')).toBe('only now: x (1)');
    expect(tell('x (1)', undefined)).toBe('no longer x (1)');
    expect(tell('python train.py --width 32 --lr 0.1 --out a', 'python train.py --width 32 --lr 10 --out a')).toBe(
      '… --lr 0.1 … → … --lr 10 …'
    );
    expect(tell('a b', 'a c')).toBe('a b → a c');
    const long = 'a'.repeat(30);
    expect(tell(`${long} b`, long)).toBe(`${long} b → ${long}`);
  });
});
