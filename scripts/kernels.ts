/**
 * The WebAssembly of server/search/kernels/: each `.wat` and what it compiles to, a `.wasm` beside it. --write compiles
 * them.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import loadWabt from 'wabt';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FOLDER = 'server/search/kernels';
const WRITE = 'run node scripts/kernels.ts --write';

/** By path of the `.wasm`, what its `.wat` compiles to. Rejects with the place of a mistake in a `.wat`. */
async function wanted(): Promise<Map<string, Uint8Array>> {
  const wabt = await loadWabt();
  const names = readdirSync(join(ROOT, FOLDER)).filter((name) => name.endsWith('.wat'));
  return new Map(
    names.map((name) => {
      const path = `${FOLDER}/${name}`;
      // wabt reads all of the memory behind an array, and small files share one: a copy has its own.
      const module = wabt.parseWat(path, new Uint8Array(readFileSync(join(ROOT, path))));
      try {
        module.validate();
        return [path.replace(/wat$/, 'wasm'), module.toBinary({}).buffer];
      } finally {
        module.destroy();
      }
    }),
  );
}

/** Each `.wasm` that its `.wat` does not compile to, or that has none; and what to do about it. */
export async function strayKernels(): Promise<string[]> {
  const files = await wanted();
  const gone = readdirSync(join(ROOT, FOLDER))
    .map((name) => `${FOLDER}/${name}`)
    .filter((path) => path.endsWith('.wasm') && !files.has(path));
  const stale = [...files].filter(([path, bytes]) => !isSame(join(ROOT, path), bytes)).map(([path]) => path);
  return [
    ...gone.map((path) => `${path} has no .wat: remove it`),
    ...stale.map((path) => `${path} is not what its .wat compiles to: ${WRITE}`),
  ];
}

const isSame = (path: string, bytes: Uint8Array) => existsSync(path) && readFileSync(path).equals(bytes);

async function write(): Promise<void> {
  for (const [path, bytes] of await wanted()) {
    writeFileSync(join(ROOT, path), bytes);
    console.log(`${path}: ${bytes.length} bytes`);
  }
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  if (process.argv.includes('--write')) await write();
  else {
    const stray = await strayKernels();
    console.log(stray.length === 0 ? 'The kernels are compiled from their text.' : stray.join('\n'));
    process.exitCode = stray.length === 0 ? 0 : 1;
  }
}
