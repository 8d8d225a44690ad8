// The data set: two half circles that interlock, with noise.

/** Mulberry32: a small seeded generator of numbers in [0, 1), so that a run can be repeated. */
export function createRandom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** One draw of the standard normal distribution (Box and Muller). */
export function drawNormal(random) {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/** One sample {inputs: [x, y], label: 0 or 1}. */
export function drawSample(random, noise) {
  const label = random() < 0.5 ? 0 : 1;
  const angle = Math.PI * random();
  const x = label === 0 ? Math.cos(angle) : 1 - Math.cos(angle);
  const y = label === 0 ? Math.sin(angle) : 0.5 - Math.sin(angle);
  return { inputs: [x + noise * drawNormal(random) - 0.5, y + noise * drawNormal(random) - 0.25], label };
}

/** Shuffles in place (Fisher and Yates). */
export function shuffle(items, random) {
  for (let last = items.length - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1));
    [items[last], items[other]] = [items[other], items[last]];
  }
}
