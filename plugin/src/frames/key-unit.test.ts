import { findKeyUnit } from './key-unit.js';

it.each([
  ['system.memory_bytes', 'bytes'],
  ['system.gpu0_memory_bytes', 'bytes'],
  ['system.io_read_bytes_per_s', 'binBps'],
  ['system.gpu11_percent', 'percent'],
  ['bytes', 'bytes'],
  ['peak (RSS) bytes', 'bytes'],
  ['heap/Bytes', 'bytes'],
  ['megabytes', undefined],
  ['bytes_left', undefined],
  // The job's own may be a share.
  ['done_percent', undefined],
  ['loss', undefined],
])('knows the unit of %s: %s', (key, unit) => {
  expect(findKeyUnit(key)).toBe(unit);
});
