import { expect, it } from 'vitest';
import { HELP_PAGES, helpPage } from './help-page.ts';

const docs = import.meta.glob<string>('../../../docs/**/*.md', { query: '?raw', import: 'default', eager: true });
const anchor = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

it.each(HELP_PAGES)('the page %s of the documentation has its heading', (to) => {
  const [page = '', heading] = to.split('#');
  const text = docs[`../../../docs/${page || 'README'}.md`] ?? '';
  const anchors = [...text.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) => anchor(title));
  expect(anchors).not.toEqual([]);
  if (heading !== undefined) expect(anchors).toContain(heading);
});

it.each([
  ['/', ''],
  ['/connections', 'reference/connections'],
  ['/connections/apps/slack', 'reference/apps'],
  ['/connections/0199/calls/0200', 'reference/gateway#call-log'],
  ['/triggers/0199/events/0200', 'reference/deliveries'],
  ['/triggers/new', 'reference/sources'],
  ['/functions/0199', 'reference/functions'],
  ['/settings/audit', 'reference/security#access'],
  ['/anything/else', ''],
])('of the page %s is %s', (pathname, page) => {
  expect(helpPage(pathname)).toBe(page);
});
