import { parseVariableQuery } from './variable-query.js';

describe('parseVariableQuery', () => {
  it.each([
    [
      'a saved object',
      { refId: 'v', query: 'fields', job: '$job', user: 'ann' },
      { refId: 'v', query: 'fields', job: '$job', user: 'ann' },
    ],
    [
      'what is typed',
      { query: 'jobs', search: '$__searchFilter' },
      { refId: 'variable', query: 'jobs', search: '$__searchFilter' },
    ],
    ['its kind as text', ' users ', { refId: 'variable', query: 'users' }],
    ['another data source’s text', 'label_values(x)', { refId: 'variable', query: 'jobs' }],
    ['an object of another kind', { query: 7, job: 1 }, { refId: 'variable', query: 'jobs' }],
    ['nothing', undefined, { refId: 'variable', query: 'jobs' }],
    ['null', null, { refId: 'variable', query: 'jobs' }],
  ])('reads %s', (_name, saved, query) => {
    expect(parseVariableQuery(saved)).toEqual(query);
  });
});
