/** Tests that src/index.css covers the first pages: they are drawn without the classes of src/pages.css. */
import { readFileSync } from 'node:fs';
import { dirname, join, matchesGlob, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const SRC = fileURLToPath(new URL('../src', import.meta.url));
const read = (path: string) => readFileSync(join(SRC, path), 'utf8');

const ENTRIES = ['main.tsx', 'connect.tsx'];
/** Every `from '…'`, `import '…'` and `import('…')` of the console's own files, type imports excluded. */
const IMPORT = /(?:^|\n)(?:import|export)\s+(?!type\b)[^'";]*?from '(\.[^']+)'|import\(?\s*'(\.[^']+)'/g;
/** A page that loads src/pages.css first. */
const LATER_PAGE = /\b(?:page|panel)\(\(\) => import\('[^']+'\)\)/g;
/** Classes in a file that is no component. */
const CLASSES = /['`][^'`\n]*\b(?:bg|border|flex|gap|grid|max-w|min-h|text)-[a-z0-9[]/;

/** All files that the entries import, at once or later, without the pages that load src/pages.css. */
function drawnFirst(): string[] {
  const seen = new Set<string>();
  const walk = (path: string) => {
    if (seen.has(path)) return;
    seen.add(path);
    for (const [, from, later] of read(path).replaceAll(LATER_PAGE, '').matchAll(IMPORT)) {
      const target = relative(SRC, join(SRC, dirname(path), from ?? later ?? ''));
      if (/\.tsx?$/.test(target) && !target.startsWith('..')) walk(target);
    }
  };
  ENTRIES.forEach(walk);
  return [...seen];
}

/** Whether Tailwind looks for classes in a file, by the `@source` lines of src/index.css. */
function isCovered(path: string): boolean {
  const sources = [...read('index.css').matchAll(/^@source (not )?"\.\/([^"]+)";$/gm)];
  const matches = (glob: string) => matchesGlob(path, glob) || matchesGlob(path, `${glob}/**`);
  return (
    sources.some(([, not, glob = '']) => !not && matches(glob)) &&
    !sources.some(([, not, glob = '']) => not && matches(glob))
  );
}

it('src/index.css covers all files with classes that the first pages import', () => {
  const drawn = drawnFirst();
  expect(drawn).toEqual(expect.arrayContaining(['layouts/late.ts', 'pages/overview/AttentionCard.tsx']));
  expect(drawn).not.toContain('table/DataTable.tsx');
  expect(drawn.filter((path) => (path.endsWith('.tsx') || CLASSES.test(read(path))) && !isCovered(path))).toEqual([]);
});

it('src/pages.css covers all files: what it references leaves out none', () => {
  // An `@source not` also applies where its file is referenced.
  const pages = read('pages.css');
  expect(pages).toContain('@source "./**/*.{ts,tsx}";');
  const [, referenced = ''] = /^@reference "\.\/([^"]+)";$/m.exec(pages) ?? [];
  expect([pages, read(referenced)].join('\n')).not.toMatch(/^@source not "/m);
  expect(read('index.css')).toMatch(/^@source not "\.\/ui\/code";$/m);
});
