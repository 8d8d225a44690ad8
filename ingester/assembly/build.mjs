// Compiles each kernel (a folder here) to a WebAssembly module in a TypeScript file, as base64: node assembly/build.mjs [--check]
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';

const LINE_CHARS = 116;
const folder = (path) => fileURLToPath(new URL(path, import.meta.url));
const isCheck = process.argv.includes('--check');

async function compile(kernel) {
  const files = {};
  const options = ['-O3', '--noAssert', '--runtime', 'stub', '--enable', 'simd', '--enable', 'bulk-memory'];
  const { error, stderr } = await asc.main(
    [`${kernel}/index.ts`, '--baseDir', folder('.'), '--outFile', 'kernel.wasm', '--initialMemory', '64', ...options],
    { writeFile: (name, contents) => void (files[name] = contents) }
  );
  if (error) throw new Error(`Cannot compile ${kernel}: ${error.message}\n${stderr.toString()}`);
  return Buffer.from(files['kernel.wasm']).toString('base64');
}

function formatModule(kernel, base64) {
  const lines = base64.match(new RegExp(`.{1,${LINE_CHARS}}`, 'g')).map((line) => `  '${line}'`);
  const name = `${kernel.toUpperCase()}_MODULE`;
  return `/** ingester/assembly/${kernel} as a WebAssembly module, in base64; made by assembly/build.mjs. */\n// prettier-ignore\nexport const ${name} =\n${lines.join(' +\n')};\n`;
}

for (const { name } of readdirSync(folder('.'), { withFileTypes: true }).filter((entry) => entry.isDirectory())) {
  const path = folder(`../src/${name}/${name}-module.ts`);
  const text = formatModule(name, await compile(name));
  if (!isCheck) writeFileSync(path, text);
  else if (readFileSync(path, 'utf8') !== text) {
    console.error(`${path} is not what ingester/assembly/${name} compiles to: run npm run build:kernels -w ingester`);
    process.exitCode = 1;
  }
}
