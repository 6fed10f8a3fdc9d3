/** Makes modules of the pages of docs/ (scripts/docs/doc-module.ts), and of the index of their titles and headings. */
import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';
import { docPages, isDoc } from './docs/doc-file.ts';
import { docModule, headingsOf, titleOf } from './docs/doc-module.ts';

const INDEX = 'virtual:docs-index';

export function docsPages(): Plugin {
  return {
    name: 'docs-pages',
    enforce: 'pre',
    resolveId: (id) => (id === INDEX ? `\0${INDEX}` : null),
    load(id) {
      if (id === `\0${INDEX}`) return indexModule();
      return isDoc(id) ? docModule(readFileSync(id, 'utf8'), id) : null;
    },
  };
}

/** `[page, title, [[depth, id, text], …]]` of each page. */
function indexModule(): string {
  const index = [...docPages()].map(([page, file]) => {
    const markdown = readFileSync(file, 'utf8');
    return [page, titleOf(markdown), headingsOf(markdown).map(({ depth, id, text }) => [depth, id, text])];
  });
  return `export default ${JSON.stringify(index)};\n`;
}
