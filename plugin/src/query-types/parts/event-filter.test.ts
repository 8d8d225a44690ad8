import { createTemplates } from '../../../test/fake-templates.js';
import { createEventFilter, type EventFilterQuery, fillInEventFilter, listFilterParts } from './event-filter.js';
import type { RunContext } from './query-type.js';

const FROM_NS = 1_700_000_000_000_000_000n;
const TO_NS = FROM_NS + 3_600_000_000_000n;
const templates = createTemplates(
  { jobs: ['7', "o'hara, = \\ 8"], user: 'ann', everything: ['a', 'b'], none: '', two: ['x', 'y'] },
  ['everything']
);
const context = { templates, scopedVars: {}, fromNs: FROM_NS, toNs: TO_NS } as unknown as RunContext;

const create = (query: Omit<EventFilterQuery, 'refId'>) => createEventFilter({ refId: 'A', ...query }, context);

describe('createEventFilter', () => {
  it('takes names as they are, those of a variable with several values too', () => {
    expect(create({ job: '9', jobs: ['$jobs'], users: ['$user', 'eve'] })).toMatchObject({
      jobs: ['9', '7', "o'hara, = \\ 8"],
      users: ['ann', 'eve'],
    });
  });

  it('takes a variable set to all, or to nothing, as no condition', () => {
    const filter = create({
      topics: ['$everything', 'signal'],
      toStates: ['$none'],
      tags: ['group=$none'],
      text: '$none',
    });
    expect(filter).toMatchObject({ topics: [], toStates: [], tags: {} });
    expect(filter.text).toBeUndefined();
  });

  it('cuts tags at their first equals sign', () => {
    expect(create({ tags: ['experiment=warm=up', 'user=$user'] }).tags).toEqual({ experiment: 'warm=up', user: 'ann' });
  });

  it.each([
    ['tags', { tags: ['experiment'] }, 'tag experiment: write KEY=VALUE'],
    ['tags with several values', { tags: ['group=$two'] }, 'tag group: $two has 2 values'],
    ['a time', { after: 'yesterday' }, 'after: yesterday is no time'],
    ['a text with several values', { text: '$two' }, 'text: $two has 2 values'],
  ])('says what is wrong with %s', (_name, query, message) => {
    expect(() => create(query)).toThrow(message);
  });

  it.each([
    ['milliseconds', '1700000060000', 60_000_000_000n],
    ['ISO 8601', '2023-11-14T22:14:20Z', 60_000_000_000n],
    ['a time before the range', '1600000000000', 0n],
  ])('keeps to the range: after %s', (_name, after, offsetNs) => {
    expect(create({ after })).toMatchObject({ afterNs: FROM_NS + offsetNs, beforeNs: TO_NS });
  });

  it('takes the range where no time is given, and times relative to now', () => {
    expect(create({})).toMatchObject({ afterNs: FROM_NS, beforeNs: TO_NS });
    expect(create({ before: 'now-1h' }).beforeNs).toBe(TO_NS);
  });
});

describe('fillInEventFilter', () => {
  it('leaves a query that needs no variables', () => {
    const query: EventFilterQuery = {
      refId: 'A',
      job: '$user',
      jobs: ['$jobs'],
      topics: ['$everything'],
      text: 'a $user',
    };
    expect(fillInEventFilter(query, {}, templates)).toEqual({
      ...{ refId: 'A', job: 'ann', jobs: ['7', "o'hara, = \\ 8"], text: 'a ann' },
    });
  });
});

it('tells the parts in a few words', () => {
  expect(listFilterParts({ refId: 'A', job: '7', topics: ['signal'], after: 'now-1h', text: 'oom' })).toEqual([
    ...['7', 'signal', 'after now-1h', '"oom"'],
  ]);
});
