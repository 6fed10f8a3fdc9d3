/**
 * A page of docs/ as a module for the console. It exports the title, and a function that creates the page's elements
 * with the `h` it is given: no HTML, so the console's policy for scripts holds without an exception.
 */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { lexer, type Token, type Tokens } from 'marked';
import { anchor } from '../catalogue-pages/markdown.ts';
import { linkTarget } from './doc-file.ts';

export interface DocHeading {
  readonly depth: number;
  readonly id: string;
  readonly text: string;
}

/** The headings below the title. */
export const headingsOf = (markdown: string): readonly DocHeading[] =>
  blocksOf(markdown).flatMap((token) =>
    isA(token, 'heading') && token.depth > 1
      ? [{ depth: token.depth, id: anchor(token.text), text: plainText(token.tokens) }]
      : [],
  );

export const titleOf = (markdown: string): string => /^# (.*)$/m.exec(markdown)?.[1] ?? '';

/** The text of the module of the page in `file`. */
export function docModule(markdown: string, file: string): string {
  const files: string[] = [];
  const blocks = blocksOf(markdown).filter((token) => !(isA(token, 'heading') && token.depth === 1));
  const body = children(blocks, {
    file,
    asset: (path) => `f${files.includes(path) ? files.indexOf(path) : files.push(path) - 1}`,
  });
  const imports = files.map((path, index) => `import f${index} from ${JSON.stringify(`${path}?url`)};`);
  const title = `export const title = ${JSON.stringify(titleOf(markdown))};`;
  return [...imports, title, `export const content = (h) => [${body}];`, ''].join('\n');
}

const blocksOf = (markdown: string): readonly Token[] => lexer(markdown);

interface Context {
  readonly file: string;
  /** The variable with the URL of a file, which becomes a file of the build. */
  readonly asset: (path: string) => string;
}

type Kinds = {
  [Kind in Tokens.Generic['type']]: Tokens.Generic;
} & {
  heading: Tokens.Heading;
  list: Tokens.List;
  table: Tokens.Table;
  code: Tokens.Code;
  link: Tokens.Link;
  image: Tokens.Image;
};

const isA = <Kind extends keyof Kinds>(token: Token, kind: Kind): token is Kinds[Kind] => token.type === kind;

const element = (tag: string, attributes: Readonly<Record<string, string>>, content = ''): string => {
  const fields = Object.entries(attributes).map(([name, value]) => `${name}: ${value}`);
  return `h(${[text(tag), `{ ${fields.join(', ')} }`, ...(content ? [content] : [])].join(', ')})`;
};
const text = (value: string): string => JSON.stringify(value);

const children = (tokens: readonly Token[] | undefined, context: Context): string =>
  (tokens ?? [])
    .map((token) => node(token, context))
    .filter(Boolean)
    .join(', ');

const SIMPLE: Readonly<Record<string, string>> = {
  paragraph: 'p',
  blockquote: 'blockquote',
  strong: 'strong',
  em: 'em',
  del: 'del',
};

/** The expression that creates a token's element; '' for what is not displayed. */
function node(token: Token, context: Context): string {
  const tag = SIMPLE[token.type];
  const inner = 'tokens' in token ? token.tokens : undefined;
  if (tag !== undefined) return element(tag, {}, children(inner, context));
  if (isA(token, 'heading')) {
    return element(`h${token.depth}`, { id: text(anchor(token.text)) }, children(token.tokens, context));
  }
  if (isA(token, 'list')) return list(token, context);
  if (isA(token, 'table')) return table(token, context);
  if (isA(token, 'code')) return element('pre', { language: text(token.lang ?? ''), code: text(token.text) });
  if (isA(token, 'link')) return link(token, context);
  if (isA(token, 'image')) return image(token, context);
  if (token.type === 'codespan') return element('code', {}, text('text' in token ? String(token.text) : ''));
  if (token.type === 'br' || token.type === 'hr') return element(token.type, {});
  if (token.type === 'space' || token.type === 'html' || token.type === 'def') return '';
  return inner ? children(inner, context) : text('text' in token ? String(token.text) : '');
}

const list = ({ ordered, items, start }: Tokens.List, context: Context): string =>
  element(
    ordered ? 'ol' : 'ul',
    ordered && start !== 1 ? { start: String(start) } : {},
    items.map((item) => element('li', {}, children(item.tokens, context))).join(', '),
  );

function table({ header, rows }: Tokens.Table, context: Context): string {
  const row = (tag: 'th' | 'td', cells: readonly Tokens.TableCell[]) =>
    element('tr', {}, cells.map((cell) => element(tag, {}, children(cell.tokens, context))).join(', '));
  const body = rows.map((cells) => row('td', cells)).join(', ');
  return element('table', {}, `${element('thead', {}, row('th', header))}, ${element('tbody', {}, body)}`);
}

function link({ href, tokens }: Tokens.Link, context: Context): string {
  const content = children(tokens, context);
  const target = linkTarget(href, context.file);
  if (target.kind === 'page') return element('a', { to: text(target.to) }, content);
  if (target.kind === 'web') return element('a', { href: text(target.href) }, content);
  if (target.kind === 'file') return element('a', { href: context.asset(target.file) }, content);
  return element('span', {}, content);
}

/** `shop.png`, and in a dark console `shop-dark.png` if that exists. */
function image({ href, text: alt }: Tokens.Image, context: Context): string {
  const file = join(dirname(context.file), href);
  const dark = file.replace(/\.png$/, '-dark.png');
  const isPair = dark !== file && existsSync(dark);
  return element('img', {
    alt: text(alt),
    src: context.asset(file),
    ...(isPair ? { dark: context.asset(dark) } : {}),
  });
}

const plainText = (tokens: readonly Token[] | undefined): string =>
  (tokens ?? [])
    .map((token) => ('tokens' in token && token.tokens ? plainText(token.tokens) : 'text' in token ? token.text : ''))
    .join('');
