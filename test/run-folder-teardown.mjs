import { rmSync } from 'node:fs';

export default function removeRunFolder() {
  rmSync(process.env['JOBLENS_TEST_FOLDER'], { recursive: true, force: true });
}
