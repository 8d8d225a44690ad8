import { createFacts } from './testing/place.js';
import { createWriter, formatWriter, isDead, parseWriter, type Writer } from './writer-name.js';

const writer = createWriter('watch', createFacts({ pid: 42 }), 3);

describe('formatWriter', () => {
  it.each<[string, Partial<Writer>]>([
    ['watch_node1_b00t_42_7_1_3', {}],
    ['job_node1_b00t_42_7_1_3_closed', { role: 'job', isClosed: true }],
    ['watch_a%5Fb.example-1_b00t_42_7_none_3', { hostName: 'a_b.example-1', pidNamespace: 'none' }],
    ['watch_%2Fx%20%C3%BC%7E_b00t_42_7_1_3', { hostName: '/x ü~' }],
  ])('gives %s, and back', (name, change) => {
    expect(formatWriter({ ...writer, ...change })).toBe(name);
    expect(parseWriter(name)).toEqual({ ...writer, ...change });
  });

  it.each(['', 'job', 'new-job_node1_b00t_42_7_1_3', 'other_node1_b00t_42_7_1_3', 'job_node1_b00t_x_7_1_3'])(
    'does not read %p',
    (name) => {
      expect(parseWriter(name)).toBeUndefined();
    }
  );
});

describe('isDead', () => {
  const minutes = 60_000;
  it.each<[string, boolean, Partial<Writer>, { silenceMs: number; isRunning: boolean }]>([
    ['its process runs', false, {}, { silenceMs: 60 * minutes, isRunning: true }],
    ['its process does not run', true, {}, { silenceMs: 0, isRunning: false }],
    ['it gave the folder away', true, { isClosed: true }, { silenceMs: 0, isRunning: true }],
    [
      'it is of another host and gave a sign',
      false,
      { hostName: 'node2' },
      { silenceMs: 9 * minutes, isRunning: false },
    ],
    ['it is of another host and silent', true, { hostName: 'node2' }, { silenceMs: 11 * minutes, isRunning: false }],
    ['it is of another pid namespace', false, { pidNamespace: '2' }, { silenceMs: 9 * minutes, isRunning: false }],
    ['its namespace is silent', true, { pidNamespace: '2' }, { silenceMs: 11 * minutes, isRunning: true }],
    ['its machine was started again since', true, { bootId: 'old' }, { silenceMs: 6 * minutes, isRunning: true }],
    ['another machine has our name', false, { bootId: 'old' }, { silenceMs: 4 * minutes, isRunning: false }],
  ])('when %s: %p', async (_, expected, change, { silenceMs, isRunning }) => {
    const facts = createFacts({ uptimeMs: () => 5 * minutes, isAlive: () => isRunning });
    expect(await isDead({ ...writer, ...change }, facts, () => Promise.resolve(silenceMs))).toBe(expected);
  });
});
