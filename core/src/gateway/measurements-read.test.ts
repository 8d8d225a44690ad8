import { STORED_FIELDS } from '../schema/stored-fields.js';
import { listMeasurements } from './measurements-read.js';

test.each(listMeasurements().map((one) => ({ ...one })))('$name is read as it is stored', ({ name, fields, tags }) => {
  const { named, others } = STORED_FIELDS[name as keyof typeof STORED_FIELDS];
  expect(others === undefined).toBe(fields === 'fixed');
  expect(Object.keys(named).filter((field) => tags.includes(field))).toEqual([]);
});
