import fc from 'fast-check';
import { formatIndentedJson, formatPrintedJson, readPrintedJson } from './printed-json.js';

it('is JSON as it was, in one line or in many', () => {
  fc.assert(
    fc.property(fc.json(), (json) => {
      const value: unknown = JSON.parse(json);
      const printed = readPrintedJson(JSON.stringify(value));
      expect(formatPrintedJson(printed)).toBe(JSON.stringify(value));
      expect(formatIndentedJson(printed)).toBe(JSON.stringify(value, null, 2));
    })
  );
});
