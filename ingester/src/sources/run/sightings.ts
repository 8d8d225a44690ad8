/** A sender that signals all processes may reach the witness this long before or after us. */
export const SPREAD_MS = 50;
/** A younger witness may have come too late to be reached. */
const STARTING_MS = 20;
/** Signals sent at once may arrive in another order, and in several threads. They are at most this far apart. */
const AT_ONCE_MS = 20;
/** Nobody asks about older sightings, even on a machine where a witness takes its time to start. */
const KEPT_MS = 2000;

interface Sighting {
  readonly signal: NodeJS.Signals;
  /** The time when this process heard of it, by its own clock. */
  readonly atMs: number;
}

interface Death extends Sighting {
  /** The time when the next witness had been started: that may take long on a busy machine. */
  readonly replacedAtMs: number;
}

/** Signals that came to us, and deaths of the witness. */
interface Sightings {
  addSignal(came: Sighting): void;
  /** The witness died by a signal, and there is another one. */
  addDeath(death: Death): void;
  /** Whether, as far as is known now, the signal that reached us was also sent to the witness. */
  hasSeen(came: Sighting): boolean;
}

export function createSightings(): Sightings {
  const signals: Sighting[] = [];
  const deaths: Death[] = [];

  /**
   * When signals are sent at once, the witness dies by the first (signal(7), kill(2)), and the next witness may come
   * too late for the others. But signals that reached us before that first one, while there was a witness, were not
   * sent to it.
   */
  const mayHaveMissed = (death: Death, { atMs }: Sighting): boolean =>
    atMs < death.replacedAtMs + STARTING_MS &&
    signals.some((first) => first.signal === death.signal && first.atMs <= atMs + AT_ONCE_MS);

  return {
    addSignal: (came) => add(signals, came, came.atMs),
    addDeath: (death) => add(deaths, death, death.replacedAtMs),
    hasSeen: (came) =>
      deaths.some((death) =>
        death.signal === came.signal ? came.atMs - death.replacedAtMs < SPREAD_MS : mayHaveMissed(death, came)
      ),
  };
}

/** Adds what was heard of by `monotonicMs`, and forgets what is old by then. */
function add<T extends Sighting>(sightings: T[], newest: T, monotonicMs: number): void {
  while ((sightings[0]?.atMs ?? Infinity) < monotonicMs - KEPT_MS) sightings.shift();
  sightings.push(newest);
}
