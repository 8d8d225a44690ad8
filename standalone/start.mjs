// `npm start`: says what is missing before anything is loaded that needs it. An old Node must be able to read this file.
import { existsSync, readFileSync } from 'node:fs';

const readNumbers = (version) => version.match(/\d+/g).map(Number);

/** Why Joblens cannot start here, as one line for the user; undefined if it can. */
function findObstacle() {
  const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  const [oldest, found] = [engines.node, process.versions.node].map(readNumbers);
  const isOld = found[0] < oldest[0] || (found[0] === oldest[0] && found[1] < oldest[1]);
  if (isOld) {
    return `Node.js ${process.versions.node} is too old; install Node ${oldest.join('.')} or newer, then run \`npm ci\`.`;
  }
  if (!existsSync(new URL('dist/main.js', import.meta.url)))
    return 'it is not built; run `npm ci`, or `npm run build`.';
  return undefined;
}

const obstacle = findObstacle();
if (obstacle === undefined) await import('./dist/main.js').then(({ startInCheckout }) => startInCheckout());
else {
  console.error(`Cannot start Joblens: ${obstacle}`);
  process.exitCode = 1;
}
