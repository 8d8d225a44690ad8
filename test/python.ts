import { fileURLToPath } from 'node:url';

/** The interpreter of the virtual environment in which the tests' Python programs (tqdm, rich, pytelegraf) live. */
export function pythonPath(): string {
  return fileURLToPath(new URL('../.cache/venv/bin/python', import.meta.url));
}
