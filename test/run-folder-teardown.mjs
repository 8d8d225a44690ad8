import { readdirSync, rmSync } from 'node:fs';

/** Removes the folder of the run, and names what suites have left in it: they should clean up, also when they fail. */
export default function removeRunFolder() {
  const left = readdirSync(process.env['TMPDIR']);
  if (left.length > 0) console.error(`\nThe tests left in the folder for temporary files: ${left.sort().join(', ')}`);
  // A process of a test that has just ended may still write there.
  rmSync(process.env['JOBLENS_TEST_FOLDER'], { recursive: true, force: true, maxRetries: 5 });
}
