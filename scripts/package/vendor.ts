/**
 * Bundles the packages that the service imports: one file for each import, with chunks for what they share. Without
 * their tests, types and second module formats they take a tenth of the disk, and a start reads fewer files.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as esbuild from 'esbuild';

const FOLDER = 'vendor';
/** What modules of the older format expect. */
const BANNER =
  "import{createRequire as sluiceRequire}from'node:module';" +
  'const require=sluiceRequire(import.meta.url),__filename=import.meta.filename,__dirname=import.meta.dirname;';

export type Vendored = {
  /** Paths of the files by import: `hono/compress` → `vendor/hono_compress.js`. */
  files: Map<string, string>;
  /** The packages that are bundled, by their folder: `node_modules/hono`. */
  packages: Set<string>;
};

/** Bundles these imports into a folder of `out`. `scratch` is a folder below the repository. */
export async function vendor(root: string, out: string, scratch: string, imports: string[]): Promise<Vendored> {
  mkdirSync(scratch, { recursive: true });
  const files = new Map<string, string>();
  const entryPoints: string[] = [];
  for (const each of imports) {
    const name = each.replace(/^@/, '').replace(/\.js$/, '').replaceAll('/', '_');
    const entry = join(scratch, `${name}.mjs`);
    // The names that Node finds, so that a bundled module has the same exports as the installed one.
    const names = Object.keys((await import(each)) as object).filter((key) => /^[\w$]+$/.test(key));
    writeFileSync(entry, `export { ${names.join(', ')} } from ${JSON.stringify(each)};\n`);
    entryPoints.push(entry);
    files.set(each, `${FOLDER}/${name}.js`);
  }
  const { metafile } = await esbuild.build({
    entryPoints,
    outdir: join(out, FOLDER),
    absWorkingDir: root,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    banner: { js: BANNER },
    // An optional native part of pg, which is not used.
    external: ['pg-native'],
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
  });
  return {
    files,
    packages: new Set(Object.keys(metafile.inputs).flatMap((path) => folderOfPackage(root, path) ?? [])),
  };
}

/** `node_modules/a/node_modules/b/lib/c.js` → `node_modules/a/node_modules/b`, or `a` if that has no manifest. */
function folderOfPackage(root: string, path: string): string | undefined {
  const [folder] = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? [];
  if (folder === undefined || existsSync(join(root, folder, 'package.json'))) return folder;
  return folderOfPackage(root, folder.slice(0, folder.lastIndexOf('/node_modules/')));
}
