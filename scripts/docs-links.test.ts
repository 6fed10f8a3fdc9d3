/** Links between pages of docs/ that name a heading: the heading exists. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { anchor } from './catalogue-pages/markdown.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'], { cwd: ROOT });
const pages = listed
  .toString()
  .split('\n')
  .filter((path) => /^(README|CONTRIBUTING|CHANGELOG)\.md$|^docs\//.test(path));

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8').replace(/^( *)```.*?^\1```$/gms, '');
const anchors = new Map(
  pages.map((path) => [
    path,
    new Set([...read(path).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchor(heading))),
  ]),
);

it.each(pages)('%s links to headings that exist', (page) => {
  const links = [...read(page).matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)#([^)\s]+)\)/g)];
  const broken = links.filter(([, path = '', heading = '']) => {
    const target = path === '' ? page : join(dirname(page), path);
    return !anchors.get(target)?.has(heading);
  });
  expect(broken.map(([link]) => link)).toEqual([]);
});
