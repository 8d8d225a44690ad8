#!/usr/bin/env node
// The command itself is one bundled file, so that it starts fast; see the script "build" of ingester/package.json.
import { existsSync } from 'node:fs';

const bundle = new URL('../dist/joblens.js', import.meta.url);
if (existsSync(bundle)) {
  await import(bundle.href);
} else {
  console.error(`joblens: it is not built: ${bundle.pathname} is missing. Run \`npm run build\` in the repository.`);
  process.exitCode = 1;
}
