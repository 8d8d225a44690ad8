/** Reads to the end as every host does: in one request what is asked at once, alone what goes apart. */
export async function readAll(reading, ask) {
  let next = reading.next();
  while (!next.done) {
    const asked = 'soFar' in next.value ? [] : next.value;
    const rest = asked.filter(({ kind }) => kind !== 'apart');
    const [together, alone] = await Promise.all([
      rest.length === 0 ? [] : ask(rest),
      Promise.all(asked.filter(({ kind }) => kind === 'apart').map(({ statement }) => ask([statement]))),
    ]);
    const [ofRest, ofApart] = [together.values(), alone.flat().values()];
    next = reading.next(asked.map(({ kind }) => (kind === 'apart' ? ofApart : ofRest).next().value));
  }
  return next.value;
}
