// A folder of one run of jest, for what its suites share, named by JOBLENS_TEST_FOLDER. Never older than the run: nothing in it is stale.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export default function createRunFolder() {
  process.env['JOBLENS_TEST_FOLDER'] = mkdtempSync(join(tmpdir(), 'joblens-jest-'));
}
