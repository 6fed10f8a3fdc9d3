/**
 * Compresses the built console, so that requests need no compression: a .br and a .gz beside every text file. The
 * argument is its folder, `dist` by default.
 */
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const DIST = process.argv[2] ?? fileURLToPath(new URL('../dist', import.meta.url));
const TEXT = /\.(js|css|html|svg|json|txt|wasm|ttf)$/;
/** Below this size, a compressed response needs as many packets. */
const MIN_BYTES = 1024;
/** Above this size, the best quality adds seconds to the first start and saves one percent. */
const LARGE_BYTES = 256 * 1024;

const brotli = promisify(brotliCompress);
const gz = promisify(gzip);

async function compress(file: string): Promise<number> {
  const plain = readFileSync(file);
  const [br, gzipped] = await Promise.all([
    brotli(plain, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: plain.length > LARGE_BYTES ? 9 : constants.BROTLI_MAX_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
      },
    }),
    gz(plain, { level: constants.Z_BEST_COMPRESSION }),
  ]);
  writeFileSync(`${file}.br`, br);
  writeFileSync(`${file}.gz`, gzipped);
  return plain.length - br.length;
}

if (!existsSync(DIST)) throw new Error(`${DIST} is missing: run "vite build" first.`);
const files = readdirSync(DIST, { recursive: true, encoding: 'utf8' })
  .filter((path) => !path.startsWith('.vite') && TEXT.test(path))
  .map((path) => join(DIST, path))
  .filter((file) => statSync(file).size >= MIN_BYTES);
const saved = (await Promise.all(files.map(compress))).reduce((sum, bytes) => sum + bytes, 0);
console.log(`${files.length} files compressed, ${Math.round(saved / 1024)} KB saved`);
