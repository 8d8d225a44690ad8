// Node's own binary, from the npm package that Node's project publishes for each kind of machine.
import { getNpmPackage } from './npm-cache.mjs';

/** The newest line with long support that needs no libatomic. */
const VERSION = '24.21.0';

const INTEGRITY = {
  x64: 'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  arm64: 'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
};

export const MACHINES = Object.keys(INTEGRITY);

/** The folder of the unpacked package: `bin/node` and `LICENSE`. */
export function getNodePackage(machine) {
  const name = `node-linux-${machine}`;
  return getNpmPackage({ name, version: VERSION, integrity: INTEGRITY[machine], files: ['bin/node', 'LICENSE'] });
}
