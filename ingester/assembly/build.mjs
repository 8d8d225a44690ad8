/* global WebAssembly */
// Compiles each kernel (a folder here) to a TypeScript file: node assembly/build.mjs [--check]
// The file holds the WebAssembly module in base64, and its constants: the layout of the memory that both sides share.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';

const LINE_CHARS = 116;
/** The memory of each kernel, in 64 KiB. */
const PAGES = { lines: 105, render: 64 };
const folder = (path) => fileURLToPath(new URL(path, import.meta.url));
const isCheck = process.argv.includes('--check');

async function compile(kernel) {
  const files = {};
  const options = ['-O3', '--noAssert', '--runtime', 'stub', '--enable', 'simd', '--enable', 'bulk-memory'];
  const { error, stderr } = await asc.main(
    [
      `${kernel}/index.ts`,
      '--baseDir',
      folder('.'),
      '--outFile',
      'kernel.wasm',
      '--initialMemory',
      String(PAGES[kernel]),
      ...options,
    ],
    { writeFile: (name, contents) => void (files[name] = contents) }
  );
  if (error) throw new Error(`Cannot compile ${kernel}: ${error.message}\n${stderr.toString()}`);
  return Buffer.from(files['kernel.wasm']);
}

/** The exported constants, which alone have names in capitals. */
async function readConstants(wasm) {
  const { instance } = await WebAssembly.instantiate(wasm, { host: { openFold: () => 0, lookAtX: () => undefined } });
  return Object.entries(instance.exports)
    .filter(([name]) => /^[A-Z][A-Z_]*$/.test(name))
    .map(([name, { value }]) => [name, value]);
}

function formatModule(kernel, wasm, constants) {
  const prefix = kernel.toUpperCase();
  const parts = wasm.toString('base64').match(new RegExp(`.{1,${LINE_CHARS}}`, 'g'));
  return `// Made by ingester/assembly/build.mjs from ingester/assembly/${kernel}.

/** The layout of its memory: addresses, offsets and limits in bytes, unless the kernel's source says otherwise. */
export const ${prefix}_LAYOUT = {
${constants.map(([name, value]) => `  ${name}: ${value},`).join('\n')}
} as const;

/** The WebAssembly module in base64. */
// prettier-ignore
export const ${prefix}_MODULE =
${parts.map((part) => `  '${part}'`).join(' +\n')};
`;
}

for (const { name } of readdirSync(folder('.'), { withFileTypes: true }).filter((entry) => entry.isDirectory())) {
  const path = folder(`../src/kernels/${name}-module.ts`);
  const wasm = await compile(name);
  const text = formatModule(name, wasm, await readConstants(wasm));
  if (!isCheck) writeFileSync(path, text);
  else if (readFileSync(path, 'utf8') !== text) {
    console.error(`${path} is not what ingester/assembly/${name} compiles to: run npm run build:kernels -w ingester`);
    process.exitCode = 1;
  }
}
