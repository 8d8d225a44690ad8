import type { FindRequest, FoundJob } from '@joblens/core/ask/heartbeats/find-jobs';
import type { WalkSlot } from '@joblens/core/ask/jobs/walk-jobs';
import type { SlotMemory } from '@joblens/core/ask/jobs/walk-range';
import { DAY_NS } from '@joblens/core/numbers/time-units';
import type { InfluxdbClient } from '../../store/influxdb-client.js';
import type { RunContext } from '../parts/query-type.js';

type Context = Pick<RunContext, 'client' | 'monotonicMs'>;

/** After an outage heartbeats come late: a slot of the last day is asked for again each minute, an older one seldom. */
const [FRESH_MS, OLD_FRESH_MS] = [60_000, 600_000];
const MAX_REMEMBERED = 300_000;

interface KnownSlot {
  readonly atMs: number;
  readonly jobs: readonly FoundJob[];
}

interface KnownSlots {
  readonly slots: Map<string, KnownSlot>;
  jobs: number;
}

const remembered = new WeakMap<InfluxdbClient, KnownSlots>();

/** The slots of which the store was asked not long ago. When there are too many jobs in them, all are given up. */
export function createSlotMemory({ user, toNs }: FindRequest, { client, monotonicMs }: Context): SlotMemory {
  const memory = remembered.get(client) ?? { slots: new Map<string, KnownSlot>(), jobs: 0 };
  remembered.set(client, memory);
  return {
    recall: (slot) => {
      const known = memory.slots.get(formatSlotKey(slot, user));
      if (known === undefined) return undefined;
      const freshMs = slot.beforeNs < toNs - DAY_NS ? OLD_FRESH_MS : FRESH_MS;
      return monotonicMs - known.atMs < freshMs ? known.jobs : undefined;
    },
    remember: (slot, jobs) => {
      // Heartbeats of the last minutes may still come, or change.
      if (slot.isLast === true) return;
      const key = formatSlotKey(slot, user);
      // A slot that is asked for again counts once.
      memory.jobs -= memory.slots.get(key)?.jobs.length ?? 0;
      if (memory.jobs + jobs.length > MAX_REMEMBERED) {
        memory.slots.clear();
        memory.jobs = 0;
      }
      memory.slots.set(key, { atMs: monotonicMs, jobs });
      memory.jobs += jobs.length;
    },
  };
}

function formatSlotKey({ grid, fromNs }: WalkSlot, user: FindRequest['user']): string {
  return `${grid.grid} ${String(fromNs)} ${JSON.stringify(user)}`;
}
