/** Compiles each `.wat` of server/search/kernels/ to the `.wasm` beside it with --write, otherwise compares them. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import loadWabt from 'wabt';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FOLDER = 'server/search/kernels';
const WRITE = 'run node scripts/kernels.ts --write';

/** The compiled `.wat` files, by the path of the `.wasm`. Rejects with the line of an error in a `.wat`. */
async function compiledKernels(): Promise<Map<string, Uint8Array>> {
  const wabt = await loadWabt();
  const names = readdirSync(join(ROOT, FOLDER)).filter((name) => name.endsWith('.wat'));
  return new Map(
    names.map((name) => {
      const path = `${FOLDER}/${name}`;
      // wabt reads the whole ArrayBuffer of its input, and small files share a Buffer pool, so pass a copy.
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

/** Each `.wasm` that is outdated or has no `.wat`, with the action to take. */
export async function outdatedKernels(): Promise<string[]> {
  const files = await compiledKernels();
  const orphaned = readdirSync(join(ROOT, FOLDER))
    .map((name) => `${FOLDER}/${name}`)
    .filter((path) => path.endsWith('.wasm') && !files.has(path));
  const stale = [...files].filter(([path, bytes]) => !isSame(join(ROOT, path), bytes)).map(([path]) => path);
  return [
    ...orphaned.map((path) => `${path} has no .wat: remove it`),
    ...stale.map((path) => `${path} differs from its compiled .wat: ${WRITE}`),
  ];
}

const isSame = (path: string, bytes: Uint8Array) => existsSync(path) && readFileSync(path).equals(bytes);

async function write(): Promise<void> {
  for (const [path, bytes] of await compiledKernels()) {
    writeFileSync(join(ROOT, path), bytes);
    console.log(`${path}: ${bytes.length} bytes`);
  }
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  if (process.argv.includes('--write')) await write();
  else {
    const outdated = await outdatedKernels();
    console.log(outdated.length === 0 ? 'The kernels are up to date with their text.' : outdated.join('\n'));
    process.exitCode = outdated.length === 0 ? 0 : 1;
  }
}
