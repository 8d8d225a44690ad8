import fc from 'fast-check';
import { createNamedTest, formatNamedJob, formatOwnedJob, nameAmong, parseNamedJob, selectNamed } from './named-job.js';

/** Texts with all that the form is made of, so that many look like it. */
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .array(fc.constantFrom(' of user ', 'of user ', ' ', '%', '%20', '%25', 'ann', 'bob (x)', '-', '.', '"', '\ud800'))
    .map((parts) => parts.join(''))
);
const owned = fc.record({ job: text, user: text });

describe('a job that is named with its user', () => {
  it('is read back as it is, whatever both hold', () => {
    fc.assert(
      fc.property(owned, (job) => {
        expect(parseNamedJob(formatOwnedJob(job))).toEqual(job);
      })
    );
  });

  it('is meant alone by its text, shared or not', () => {
    fc.assert(
      fc.property(owned, owned, fc.boolean(), (job, other, isShared) => {
        const isNamed = createNamedTest([parseNamedJob(formatNamedJob(job, isShared))]);
        expect(isNamed(job)).toBe(true);
        const isOther = other.job !== job.job || (isShared && other.user !== job.user);
        if (isOther) expect(isNamed(other)).toBe(false);
      })
    );
  });

  it('reads well where the names are plain', () => {
    expect(formatOwnedJob({ job: 'train.1-a (b)', user: 'bob (x)' })).toBe('train.1-a (b) of user bob (x)');
    expect(formatNamedJob({ job: 'train', user: 'ann' }, false)).toBe('train');
  });

  it('stands for the known jobs of its id where it has no user', () => {
    const known = ['ann', ''].map((user) => ({ job: 'a', user }));
    expect(nameAmong([{ job: 'a' }, { job: 'b' }, { job: 'a', user: 'bob' }], known)).toEqual([
      ...known,
      { job: 'b' },
      { job: 'a', user: 'bob' },
    ]);
  });

  it('narrows the users to ask for only where all have one, and nobody chose any', () => {
    const named = ['ann', '', 'ann'].map((user) => ({ job: 'a', user }));
    expect(selectNamed(named, []).user).toEqual(['ann', '']);
    expect(selectNamed(named, ['zoe']).user).toEqual(['zoe']);
    expect(selectNamed([...named, { job: 'b' }], []).user).toEqual([]);
  });
});
