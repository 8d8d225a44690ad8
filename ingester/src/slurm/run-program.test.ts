import { createBytesRunner, createProgramRunner } from './run-program.js';

const { PATH } = process.env;

it.each([
  ['hangs', 'exec sleep 1000'],
  ['ignores signals, and its child holds its output', "trap '' TERM; sleep 1000 & wait"],
])('gives an answer of a program that %s, each time', async (_what, script) => {
  const run = createBytesRunner({ PATH }, 200);
  for (let i = 0; i < 6; i += 1) {
    const error: unknown = expect.stringMatching(/^sh (did not answer within 0\.2 s|hangs: )/);
    expect(await run('sh', ['-c', script])).toEqual({ ok: false, error });
  }
});

it.each([
  [['sh', '-c', 'echo a; echo "last (line)" >&2; exit 1'], 'last (line)'],
  [['sh', '-c', 'exit 4'], 'sh ended with 4'],
  [['sh', '-c', 'kill -15 $$'], 'sh ended with SIGTERM'],
  [['no such program'], 'there is no command no such program on the PATH'],
  [['/etc'], '/etc cannot be run (EACCES)'],
])('says why %j gave nothing', async ([command = '', ...args], error) => {
  expect(await createProgramRunner({ PATH })(command, args)).toEqual({ ok: false, error });
});

it('gives the output, with the environment that was asked for', async () => {
  const run = createProgramRunner({ PATH, A: 'b' });
  expect(await run('sh', ['-c', 'echo "$A$C"'], { C: "d 'e'" })).toEqual({ ok: true, value: "bd 'e'\n" });
});
