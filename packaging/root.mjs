import { fileURLToPath } from 'node:url';

/** The root folder of this repository. */
export const ROOT = fileURLToPath(new URL('..', import.meta.url));
