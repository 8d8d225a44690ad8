// A folder of one run of jest, named by JOBLENS_TEST_FOLDER, for what its suites share: never older than the run, so nothing
// in it is stale. It holds the folder for temporary files, too, so that no test, process or failure leaves any behind.
import { chmodSync, mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export default function createRunFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'joblens-jest-'));
  // Suites with other users' processes open their own part of it.
  chmodSync(folder, 0o711);
  const temporary = join(folder, 'tmp');
  mkdirSync(temporary);
  chmodSync(temporary, 0o1777);
  process.env['JOBLENS_TEST_FOLDER'] = folder;
  process.env['TMPDIR'] = temporary;
}
