import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FieldValue } from '@joblens/core/point/point';
import { parseLineProtocol } from '@joblens/core/point/parse-line-protocol';
import { simulateCluster } from '../standalone/src/demo-cluster.js';
import { createDemoExperiment } from '../standalone/src/demo-experiment.js';
import { createDemoHistory } from '../standalone/src/demo-history.js';
import { ROOT } from './whole-way/stack.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'joblens-demo-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Ended {
  readonly code: number | null;
  /** The values of a field, in the order in which they were written. */
  readonly list: (measurement: string, field: string) => FieldValue[];
}

/** Runs a demo program under `joblens run`, without its pauses. */
function runProgram(program: string, options: readonly string[] = ['--mode', 'enabled']): Ended {
  const out = join(mkdtempSync(join(folder, 'run-')), 'points.lp');
  const args = ['run', '--job', 'd', '--out', out, ...options];
  const command = [process.execPath, join(ROOT, 'standalone/demo', program), '1', '0'];
  const { status } = spawnSync(join(ROOT, 'ingester/bin/joblens'), [...args, '--', ...command], { encoding: 'utf8' });
  const { points } = parseLineProtocol(readFileSync(out, 'utf8'), { precision: 'ns', defaultTimeNs: 0n });
  return {
    code: status,
    list: (measurement, field) =>
      points.flatMap((point) => (point.measurement === measurement ? (point.fields.get(field) ?? []) : [])),
  };
}

describe('the programs of the demo', () => {
  it('one succeeds', () => {
    const { code, list } = runProgram('prepare.mjs');
    expect([code, list('job', 'state').at(-1)]).toEqual([0, 'COMPLETED']);
    expect(list('job_metadata', 'shard')).toHaveLength(24);
    expect(list('job_event', 'data').filter((data) => String(data).includes('severity'))).toEqual([]);
  });

  it('one prints no JSON, and has its rows where known programs are read', () => {
    const optIn = join(folder, 'logoptin');
    writeFileSync(optIn, 'mode: enabled\nmetadata: [json, { preset: auto }]\n');
    const { code, list } = runProgram('boost.mjs', ['--optin', optIn]);
    expect(code).toBe(0);
    expect(list('job_log', 'line').filter((line) => String(line).startsWith('{'))).toEqual([]);
    expect(list('job_metadata', 'iteration')).toHaveLength(160);
    expect(list('job_series', 'x').at(-1)).toBe('iteration');
    const losses = list('job_metadata', 'train-logloss').map(Number);
    expect(losses.at(-1)).toBeLessThan(0.5 * Number(losses[0]));
    expect(runProgram('boost.mjs').list('job_metadata', 'iteration')).toEqual([]);
  });

  it('one tells its tasks as spans, and its rounds as a start and a finish', () => {
    const { code, list } = runProgram('tasks.mjs');
    expect(code).toBe(0);
    const names = list('job_span', 'name').map(String);
    expect(['load', 'sort', 'merge'].map((task) => names.filter((name) => name === task).length)).toEqual([
      144, 144, 144,
    ]);
    expect(list('job_span', 'part').filter((part) => part === 'whole')).toHaveLength(3 * 144 + 6);
    expect(list('job_log', 'line').filter((line) => String(line).includes('not obeyed'))).toEqual([]);
    expect(list('job_metadata', 'round')).toHaveLength(6);
  });

  it('one dies, with its reason in stderr', () => {
    const { code, list } = runProgram('crash.mjs');
    expect([code, list('job', 'state').at(-1)]).toEqual([1, 'FAILED']);
    expect(list('job', 'reason').at(-1)).toBe(
      'exit code 1: ValueError: expected 2 values a sample, found 3 (model.py:33)'
    );
    expect(list('job_metadata', 'accuracy').length).toBeGreaterThan(10);
  });
});

describe('the history of the demo cluster', () => {
  const nowMs = Date.UTC(2026, 10, 23, 15);
  const hourMs = 3_600_000;
  const jobs = simulateCluster(nowMs);

  it('is some dozens of jobs of the last day, all of them over, of several users, with waits and failures', () => {
    expect(jobs.length).toBeGreaterThan(30);
    expect(jobs.every(({ endedMs }) => endedMs < nowMs && endedMs > nowMs - 24 * hourMs)).toBe(true);
    expect(new Set(jobs.map(({ user }) => user)).size).toBeGreaterThan(3);
    expect(jobs.filter(({ startedMs, submittedMs }) => startedMs - submittedMs > 60_000).length).toBeGreaterThan(5);
    const states = new Set(jobs.map(({ state }) => state));
    expect([...states]).toEqual(expect.arrayContaining(['COMPLETED', 'FAILED', 'TIMEOUT']));
  });

  it('says why a job ended as Joblens does', () => {
    const reasons = jobs.map(({ reason = '' }) => reason).filter((reason) => !/^exit code|^$/.test(reason));
    expect(reasons.join('\n')).toContain('time limit of ');
    for (const reason of reasons) {
      expect(reason).toMatch(
        /^(?:time limit of (?:\d+h)?(?: ?\d+m)?|killed for memory \(255\.6 of 256 GB\)|cancelled by \w+)$/
      );
    }
  });

  it('never uses more nodes than the cluster has', () => {
    for (const { startedMs } of jobs) {
      const running = jobs.filter((other) => other.startedMs <= startedMs && other.endedMs > startedMs);
      expect(running.reduce((sum, { nodes }) => sum + nodes, 0)).toBeLessThanOrEqual(16);
    }
  });

  it('says the same of a job at every start', () => {
    const later = new Map(simulateCluster(nowMs + 2 * hourMs).map((job) => [job.job, job]));
    const both = jobs.filter(({ job }) => later.has(job));
    expect(both.length).toBeGreaterThan(10);
    expect(both.map(({ job }) => later.get(job))).toEqual(both);
  });

  it('is marked as made up, in the tags and in the log of each job', () => {
    const { points } = parseLineProtocol(createDemoHistory(nowMs), { precision: 'ns', defaultTimeNs: 0n });
    const listJobs = (measurement: string, field: string, part: string): Set<unknown> =>
      new Set(
        points
          .filter((point) => point.measurement === measurement && String(point.fields.get(field)).includes(part))
          .map((point) => point.tags.get('job'))
      );
    const names = new Set(jobs.map(({ job }) => job));
    expect(listJobs('job', 'tags', '"cluster":"simulated"')).toEqual(names);
    expect(listJobs('job_log', 'line', 'never ran')).toEqual(names);
    expect(points.filter(({ measurement }) => measurement === 'job_transition')).toHaveLength(3 * jobs.length);
  });
});

describe('the experiment of the demo', () => {
  const nowMs = Date.UTC(2026, 10, 23, 14);
  const { points } = parseLineProtocol(createDemoExperiment(nowMs), { precision: 'ns', defaultTimeNs: 0n });
  const listOf = (measurement: string) => points.filter((point) => point.measurement === measurement);

  it('has three configurations with three seeds each, marked as made up', () => {
    const jobs = listOf('job').map(({ tags }) => tags.get('job'));
    expect(new Set(jobs).size).toBe(9);
    const configs = listOf('job').map(({ fields }) => String(fields.get('config')));
    expect(new Set(configs.map((config) => config.replace(/"seed":\d/, ''))).size).toBe(3);
    expect(listOf('job_log').filter(({ fields }) => String(fields.get('line')).includes('never ran'))).toHaveLength(9);
    const labels = listOf('job_label').filter(({ tags }) => tags.get('value') === 'two-moons-sweep');
    expect(new Set(labels.map(({ fields }) => fields.get('job')))).toEqual(new Set(jobs));
  });

  it('has ended, and is the same at every start of a day', () => {
    for (const { fields } of listOf('job')) expect(fields.get('ended')).toBeLessThan(nowMs);
    expect(createDemoExperiment(nowMs + 3_600_000)).toBe(createDemoExperiment(nowMs));
  });
});
