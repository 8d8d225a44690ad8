// The processes that the bench has started. None may outlive the bench.
const stops = new Set();

/** Remembers how to stop a child until it has ended. */
export function trackChild(child, stop) {
  stops.add(stop);
  child.once('exit', () => stops.delete(stop));
}

export function stopChildren() {
  for (const stop of stops) stop();
}
