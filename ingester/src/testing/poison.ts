type Method = (...values: unknown[]) => unknown;

/** Makes a method throw, or reject, when `isPill` says so of its object and arguments, before or after its work. */
export function poison(
  owner: object,
  name: string,
  isPill: (self: unknown, values: readonly unknown[]) => boolean,
  when: 'before' | 'after' = 'before'
): void {
  const methods = owner as unknown as Record<string, Method>;
  const real = methods[name] as Method;
  jest.spyOn(methods, name).mockImplementation(function (this: unknown, ...values: unknown[]) {
    if (!isPill(this, values)) return real.apply(this, values);
    const done = when === 'after' ? real.apply(this, values) : undefined;
    const fault = new RangeError('a secret of the pill');
    if (!(done instanceof Promise)) throw fault;
    return done.then(() => {
      throw fault;
    });
  });
}

/** Whether the text is anywhere in a value, as deep as arguments are. */
export function holdsText(value: unknown, text: string, depth = 4): boolean {
  if (typeof value === 'string') return value.includes(text);
  if (value instanceof Uint8Array) return Buffer.from(value).includes(text);
  if (depth === 0 || typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((each) => holdsText(each, text, depth - 1));
}
