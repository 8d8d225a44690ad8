/**
 * FNV-1a, 64 bits, over the UTF-16 units, as 16 hex digits. The product is built from 16-bit limbs, as doubles have 53
 * exact bits.
 */
export function hashFnv1a64(text: string): string {
  let [h0, h1, h2, h3] = [0x2325, 0x8422, 0x9ce4, 0xcbf2];
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    for (const byte of [unit & 0xff, unit >>> 8]) {
      h0 ^= byte;
      // The prime is 2^40 + 0x1b3: 2^40 lifts a limb by two and a half places; the small product is added.
      const low = h0 * 0x1b3;
      const second = h1 * 0x1b3 + (low >>> 16);
      const third = h2 * 0x1b3 + (second >>> 16) + ((h0 << 8) & 0xffff);
      const fourth = h3 * 0x1b3 + (third >>> 16) + ((h1 << 8) & 0xffff) + (h0 >>> 8);
      h0 = low & 0xffff;
      h1 = second & 0xffff;
      h2 = third & 0xffff;
      h3 = fourth & 0xffff;
    }
  }
  return [h3, h2, h1, h0].map((limb) => limb.toString(16).padStart(4, '0')).join('');
}
