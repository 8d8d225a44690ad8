import { stampLines } from './write-points.js';

const ANN = { user: "ann's (1)", isHost: false };
const HOST = { user: 'login1', isHost: true };
const stamp = (text: string, identity = ANN) => stampLines(text, identity, 'ns', () => 7n);

test('makes lines without a user those of the token, and keeps the types of fields', () => {
  const text =
    '# comment\n\njob_log,job=1 line="a \\"b\\"",n=3i,x=0.5,is=true 5\njob,job=1,user=ann\'s\\ (1) state="RUNNING"\n';
  expect(stamp(text)).toEqual({
    ok: true,
    value: [
      'job_log,job=1,user=ann\'s\\ (1) line="a \\"b\\"",n=3i,x=0.5,is=true 5',
      'job,job=1,user=ann\'s\\ (1) state="RUNNING" 7',
    ],
  });
});

test.each([
  ['a line of another user', 'job,job=1 x=1 1\n\njob,job=1,user=bob x=1 1', 'other-user', 'line 3: it says user "bob"'],
  ['a user in other letters', 'job,job=1,user=Ann x=1 1', 'other-user', 'line 1'],
  ['two users', "job,job=1,user=bob,user=ann's\\ (1) x=1 1", 'line', 'line 1: duplicate tags'],
  ['a measurement of others', 'cpu,host=a x=1 1', 'measurement', 'line 1: measurement "cpu"'],
  ['a measurement in quotes', '"job",user=bob x=1', 'measurement', 'line 1'],
  [
    'a field in place of the user',
    'job_share,job=x,whom=me user="bob",shared=1 1',
    'tag-name',
    'line 1: user is a tag',
  ],
  ['a field in place of the job', 'job_log,stream=stdout job="1",line="x" 1', 'tag-name', 'job is a tag of job_log'],
  ['what is no line', 'job,job=1 x=1\nnonsense', 'line', 'line 2'],
  ['a second line in a name', 'job,job=1\\\nuser=bob x=1 1', 'line', 'line 1'],
])('refuses %s', (_what, text, rule, message) => {
  const found = stamp(text);
  expect(found).toMatchObject({ ok: false, error: { status: 400, rule } });
  expect(found.ok ? '' : found.error.message).toContain(message);
});

test('refuses fields in place of tags of a host, too, which everybody would read', () => {
  expect(stamp('job_share,job=x,user=eve,whom=eve job="1",shared=1 1', HOST)).toMatchObject({
    ok: false,
    error: { rule: 'tag-name' },
  });
});

test('lets a host write for all', () => {
  expect(stamp('cpu,host=a x=1 1\njob,job=1,user=bob x=1 1', HOST)).toEqual({
    ok: true,
    value: ['cpu,host=a x=1 1', 'job,job=1,user=bob x=1 1'],
  });
});
