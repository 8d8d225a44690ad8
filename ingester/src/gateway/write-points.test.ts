import { stampLines } from './write-points.js';

const ANN = { user: "ann's (1)", isHost: false };
const HOST = { user: 'login1', isHost: true };
const stamp = (text: string, identity = ANN) => stampLines(text, identity, 'ns', () => 7n);

test('makes lines without a user those of the token', () => {
  const text = '# comment\n\njob_log,job=1 line="a \\"b\\"",part=3 5\njob,job=1,user=ann\'s\\ (1) state="RUNNING"\n';
  expect(stamp(text)).toEqual({
    ok: true,
    value: [
      'job_log,job=1,user=ann\'s\\ (1) line="a \\"b\\"",part=3 5',
      'job,job=1,user=ann\'s\\ (1) state="RUNNING" 7',
    ],
  });
});

test.each([
  [
    'a line of another user',
    'job,job=1 progress=1 1\n\njob,job=1,user=bob progress=1 1',
    'other-user',
    'line 3: it says user "bob"',
  ],
  ['a user in other letters', 'job,job=1,user=Ann progress=1 1', 'other-user', 'line 1'],
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
  ['what is no line', 'job,job=1 progress=1\nnonsense', 'line', 'line 2'],
  ['a text for a number', 'job,job=1 exit_code="0" 1', 'field-type', 'line 1: "exit_code" of job is a number'],
  ['an integer', 'job_log,job=1 line="a"\njob_span,job=1 duration_ms=1i 1', 'field-type', 'line 2: "duration_ms" of'],
  ['a boolean', 'job_share,job=1,whom=bob shared=true 1', 'field-type', '"shared" of job_share is a number'],
  ['a number for a text', 'job_log,job=1 line=1 1', 'field-type', 'line 1: "line" of job_log is a text'],
  ['a text for a key of tables', 'job_metadata,job=1 a-b.c=1,it\'s\\ (1)="x" 1', 'field-type', '"it\'s (1)" of'],
  ['an integer for a key of events', 'job_event,job=1,topic=x data="{}",n=1i 1', 'field-type', '"n" of job_event'],
  ['a number for a key of texts', 'job_metadata_text,job=1 loss=1 1', 'field-type', '"loss" of job_metadata_text'],
  ['a field of no name here', 'job_heartbeat,grid=2h job="1",loss=1 1', 'unknown-field', 'has no field "loss"'],
  ['a field in other letters', 'job,job=1 State="x" 1', 'unknown-field', 'job has no field "State"'],
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

test('keeps to the types of Joblens for a host, too, and not to those of other programs', () => {
  expect(stamp('job,job=1,user=bob exit_code=1i 1', HOST)).toMatchObject({ error: { rule: 'field-type' } });
  expect(stamp('job_log,job=1,user=bob loss=1 1', HOST)).toMatchObject({ error: { rule: 'unknown-field' } });
});

test('lets a host write for all', () => {
  expect(stamp('cpu,host=a x=1i 1\njob,job=1,user=bob progress=1 1', HOST)).toEqual({
    ok: true,
    value: ['cpu,host=a x=1i 1', 'job,job=1,user=bob progress=1 1'],
  });
});
