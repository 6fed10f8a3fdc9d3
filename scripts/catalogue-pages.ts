/** Writes docs/reference/apps.md and docs/reference/sources.md from the catalogue. A test compares the committed pages with it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { catalogue } from '../server/connections/apps/catalogue.ts';
import { appsPage } from './catalogue-pages/apps-page.ts';
import { sectionsOf, sourcesPage } from './catalogue-pages/sources-page.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** The text of each page, by its path. */
export function cataloguePages(): Map<string, string> {
  const definitions = [...catalogue.values()].map(({ definition }) => definition);
  const sections = sectionsOf(definitions);
  return new Map([
    ['docs/reference/apps.md', appsPage(definitions, sections)],
    ['docs/reference/sources.md', sourcesPage(sections)],
  ]);
}

/** The pages whose committed text differs from the catalogue. */
export const outdatedPages = (): string[] =>
  [...cataloguePages()].filter(([path, text]) => readFileSync(join(ROOT, path), 'utf8') !== text).map(([path]) => path);

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href)
  for (const [path, text] of cataloguePages()) writeFileSync(join(ROOT, path), text);
