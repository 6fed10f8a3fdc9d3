/**
 * Generates the icons of the apps: one SVG file in `public/icons` for each app of the catalogue with an icon of
 * simple-icons, and their list for the console (`src/components/apps/app-icons.ts`). Writes the files with --write,
 * otherwise lists the differences. Each icon is one path without a colour; the page sets its colour.
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

/** The content of every generated file, by path. */
function expectedFiles(): Map<string, string> {
  const files = new Map<string, string>();
  const withIcon = [...catalogue.values()].flatMap(({ definition: { app, icon } }) =>
    icon === null ? [] : [{ app, icon }],
  );
  for (const { app, icon } of withIcon) {
    const drawing = library.get(icon);
    if (!drawing || !('path' in drawing)) throw new Error(`${app}: simple-icons has no ${icon}`);
    files.set(
      `${FOLDER}/${app}.svg`,
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path d="${drawing.path}"/></svg>\n`,
    );
  }
  const apps = withIcon.map(({ app }) => app).sort();
  files.set(
    LIST,
    `/** Apps with an icon in public/icons; others show their initials. Written by \`node scripts/icons.ts --write\`. */
export const APP_ICONS: ReadonlySet<string> = new Set(
  '${apps.join(' ')}'.split(
    ' ',
  ),
);
`,
  );
  return files;
}

/** Files that are missing, different, or without an app in the catalogue. */
export function outdatedIcons(): string[] {
  const files = expectedFiles();
  const orphaned = readdirSync(join(ROOT, FOLDER))
    .map((name) => `${FOLDER}/${name}`)
    .filter((path) => !files.has(path));
  return [...orphaned, ...[...files].filter(([path, text]) => read(path) !== text).map(([path]) => path)];
}

function read(path: string): string | undefined {
  try {
    return readFileSync(join(ROOT, path), 'utf8');
  } catch {
    return undefined;
  }
}

function write(): void {
  const files = expectedFiles();
  rmSync(join(ROOT, FOLDER), { recursive: true, force: true });
  mkdirSync(join(ROOT, FOLDER), { recursive: true });
  for (const [path, text] of files) writeFileSync(join(ROOT, path), text);
  console.log(`${files.size - 1} icons written`);
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  if (process.argv.includes('--write')) write();
  else {
    const outdated = outdatedIcons();
    console.log(outdated.length === 0 ? 'The icons are up to date with the catalogue.' : outdated.join('\n'));
    process.exitCode = outdated.length === 0 ? 0 : 1;
  }
}
