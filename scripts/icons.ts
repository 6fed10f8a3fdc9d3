/**
 * The pictures of the apps: for each app of the catalogue that names an icon of simple-icons one small file in
 * `public/icons`, and their list for the console (`src/components/apps/app-icons.ts`). With --write they are
 * regenerated; without, it says what differs from the catalogue. They are one path without a colour: the page gives
 * them its ink.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import * as simpleIcons from 'simple-icons';
import { catalogue } from '../server/connections/apps/catalogue.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FOLDER = 'public/icons';
const LIST = 'src/components/apps/app-icons.ts';

const library = new Map(Object.entries(simpleIcons));

/** Every file there should be, by its path. */
function wanted(): Map<string, string> {
  const files = new Map<string, string>();
  const drawn = [...catalogue.values()].flatMap(({ definition: { app, icon } }) =>
    icon === null ? [] : [{ app, icon }],
  );
  for (const { app, icon } of drawn) {
    const picture = library.get(icon);
    if (!picture || !('path' in picture)) throw new Error(`${app}: simple-icons has no ${icon}`);
    files.set(
      `${FOLDER}/${app}.svg`,
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path d="${picture.path}"/></svg>\n`,
    );
  }
  const apps = drawn.map(({ app }) => app).sort();
  files.set(
    LIST,
    `/** Apps with a picture in public/icons; the others have their letters. Written by \`node scripts/icons.ts --write\`. */
export const APP_ICONS: ReadonlySet<string> = new Set(
  '${apps.join(' ')}'.split(
    ' ',
  ),
);
`,
  );
  return files;
}

/** What is missing, different or no longer of the catalogue. */
export function strayIcons(): string[] {
  const files = wanted();
  const gone = readdirSync(join(ROOT, FOLDER))
    .map((name) => `${FOLDER}/${name}`)
    .filter((path) => !files.has(path));
  return [...gone, ...[...files].filter(([path, text]) => read(path) !== text).map(([path]) => path)];
}

function read(path: string): string | undefined {
  try {
    return readFileSync(join(ROOT, path), 'utf8');
  } catch {
    return undefined;
  }
}

function write(): void {
  const files = wanted();
  rmSync(join(ROOT, FOLDER), { recursive: true, force: true });
  mkdirSync(join(ROOT, FOLDER), { recursive: true });
  for (const [path, text] of files) writeFileSync(join(ROOT, path), text);
  console.log(`${files.size - 1} icons written`);
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  if (process.argv.includes('--write')) write();
  else {
    const stray = strayIcons();
    console.log(stray.length === 0 ? 'The icons are those of the catalogue.' : stray.join('\n'));
    process.exitCode = stray.length === 0 ? 0 : 1;
  }
}
