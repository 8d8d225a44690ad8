import { formatPrintedJson, type PrintedValue, readPrintedJson } from '@joblens/core/json/printed-json';
import { isTooDeepJson } from '@joblens/core/json/bounded-json';
import type { ImportRequest, ReadSource } from '../job/importer.js';
import { openSourceFile } from '../job/source-file.js';
import { LaneNames } from './lane-names.js';
import { TraceClock } from './trace-clock.js';
import { TraceCutter } from './trace-cutter.js';
import { TraceEvents } from './trace-events.js';

const BASE_KEY = 'baseTimeNanoseconds';
/** What a trace says beside its events becomes the configuration of its job, as far as it is small. */
const MAX_ENTRY_UNITS = 64 * 1024;

/** Reads a Chrome trace (Trace Event Format): an array of events, or an object with one. */
export const readTrace: ReadSource = async (request) => {
  const lanes = await readLanes(request);
  const file = await openSourceFile(request);
  const { job, leftOut, offsetNs, report, source } = request;
  const clock = new TraceClock({
    ...{ offsetNs, modifiedMs: file.modifiedMs },
    onUnknown(beginMs) {
      const begin = new Date(beginMs).toISOString();
      report.info(
        `the clock of ${source} is no wall clock: its first event is at ${begin}, when the file was changed last; give --offset TIME`
      );
    },
  });
  const events = new TraceEvents({ job, leftOut, clock, lanes });
  const entries = new Map<string, PrintedValue>();
  const cutter = new TraceCutter({
    onEvents: (found) => found.forEach((event) => events.add(event)),
    onEntry(key, json) {
      if (key === BASE_KEY && /^\d{1,19}$/.test(json)) clock.setBase(BigInt(json));
      if (json.length <= MAX_ENTRY_UNITS && !isTooDeepJson(json)) noteEntry(entries, key, json);
    },
    onFault: (what, at) => leftOut.add(what, `byte ${at}`),
  });
  for await (const chunk of file.chunks) {
    cutter.add(chunk);
    await request.advance(file.readBytes(), file.sizeBytes);
  }
  if (request.signal.aborted) return;
  cutter.end();
  events.end();
  if (entries.size > 0) job.describeUnlessTold({ config: formatPrintedJson(entries) });
};

async function readLanes(request: ImportRequest): Promise<LaneNames> {
  const lanes = new LaneNames();
  for await (const chunk of (await openSourceFile(request)).chunks) lanes.add(chunk);
  return lanes;
}

function noteEntry(entries: Map<string, PrintedValue>, key: string, json: string): void {
  try {
    JSON.parse(json);
  } catch {
    return;
  }
  entries.set(key, readPrintedJson(json));
}
