import { expect, it } from 'vitest';
import { anchor } from './catalogue-pages/markdown.ts';
import { cataloguePages, outdatedPages } from './catalogue-pages.ts';

const RUN = 'The pages differ from the catalogue: run `node scripts/catalogue-pages.ts` and commit what it writes.';

it('docs/reference/apps.md and docs/reference/sources.md are up to date with the catalogue', () => {
  expect(outdatedPages(), RUN).toEqual([]);
});

it.each([...cataloguePages()])('%s has unique headings, and every link to a heading has its target', (path, text) => {
  const anchors = new Map([...cataloguePages()].map(([page, content]) => [page, anchorsOf(content)]));
  const own = anchors.get(path) ?? [];
  expect(own.filter((each, index) => own.indexOf(each) < index)).toEqual([]);
  const links = [...text.matchAll(/\]\(([\w.-]*)#([^)]+)\)/g)];
  const broken = links.filter(([, page, target = '']) => {
    const linked = page === '' ? own : (anchors.get(`docs/reference/${page}`) ?? []);
    return !linked.includes(target);
  });
  expect(broken.map(([whole]) => whole)).toEqual([]);
});

const anchorsOf = (text: string): string[] =>
  [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchor(heading));
