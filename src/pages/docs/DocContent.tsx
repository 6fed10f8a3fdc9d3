import { type ComponentProps, createElement, type ReactNode } from 'react';
import { Link } from '../../components/Link.tsx';
import { CodeBlock } from '../../ui/code/CodeBlock.tsx';
import type { CodeLanguage } from '../../ui/code/code-tokens.ts';
import { scrollRegion } from '../../ui/scroll-region.ts';
import type { CreateElement, DocPage } from './doc-pages.ts';

const LANGUAGES: Readonly<Record<string, CodeLanguage>> = {
  json: 'json',
  js: 'javascript',
  javascript: 'javascript',
  ts: 'typescript',
  typescript: 'typescript',
  python: 'python',
  py: 'python',
  sh: 'bash',
  bash: 'bash',
};

function Anchor({ to, href, children }: { to?: string; href?: string; children?: ReactNode }) {
  if (to !== undefined) {
    return (
      <Link to={to} className="link underline underline-offset-2">
        {children}
      </Link>
    );
  }
  return (
    <a href={href} className="link underline underline-offset-2" target="_blank" rel="noreferrer">
      {children}
    </a>
  );
}

function Code({ language, code }: { language: string; code: string }) {
  const label = language === '' ? 'Code' : `Code, ${language}`;
  return <CodeBlock code={code} language={LANGUAGES[language] ?? 'text'} label={label} copy className="my-3" />;
}

function Picture({ src, dark, alt }: { src: string; dark?: string; alt: string }) {
  const className = 'my-4 h-auto max-w-full rounded border border-line';
  if (dark === undefined) return <img src={src} alt={alt} className={className} loading="lazy" />;
  return (
    <>
      <img src={src} alt={alt} className={`${className} dark:hidden`} loading="lazy" />
      <img src={dark} alt={alt} className={`${className} hidden dark:block`} loading="lazy" />
    </>
  );
}

function Table({ children }: ComponentProps<'table'>) {
  return (
    <div {...scrollRegion('Table')} className="my-3 overflow-x-auto focus-visible:-outline-offset-2">
      <table className="w-full border-collapse text-13 [&_td]:min-w-24">{children}</table>
    </div>
  );
}

/** The head of a column; an empty one is a plain cell. */
function TableHead({ children }: { children?: ReactNode }) {
  return createElement(
    children === undefined ? 'td' : 'th',
    { className: 'border-b border-line-2 py-1.5 pr-4 text-left align-bottom text-12 font-medium text-fg-3' },
    children,
  );
}

/** A heading with a link to itself. */
function heading(tag: 'h2' | 'h3' | 'h4', className: string) {
  return ({ id, children }: { id: string; children?: ReactNode }) =>
    createElement(
      tag,
      { id, className: `group/heading scroll-mt-4 ${className}` },
      children,
      <Link
        to={{ hash: id }}
        aria-label="Link to this section"
        className="ml-2 pointer-coarse:hidden text-fg-3 no-underline opacity-0 group-hover/heading:opacity-100 focus-visible:opacity-100"
      >
        #
      </Link>,
    );
}

const styled = (tag: string, className: string) => (props: object) => createElement(tag, { ...props, className });

const TAGS: Readonly<Record<string, unknown>> = {
  a: Anchor,
  pre: Code,
  img: Picture,
  table: Table,
  h2: heading('h2', 'mt-8 mb-2 text-18'),
  h3: heading('h3', 'mt-6 mb-1.5 text-14 font-semibold'),
  h4: heading('h4', 'mt-4 mb-1 text-13 font-semibold'),
  p: styled('p', 'my-3'),
  ul: styled('ul', 'my-3 list-disc pl-5'),
  ol: styled('ol', 'my-3 list-decimal pl-5'),
  li: styled('li', 'my-1 pl-1'),
  th: TableHead,
  td: styled('td', 'border-b border-line py-1.5 pr-4 align-top'),
  code: styled('code', 'rounded bg-sunken px-1 py-px font-mono text-[0.92em] wrap-anywhere'),
  blockquote: styled('blockquote', 'my-3 border-l-2 border-line-2 pl-3 text-fg-2'),
  strong: styled('strong', 'font-semibold'),
};

const h: CreateElement = (tag, attributes, ...content) =>
  createElement((TAGS[tag] ?? tag) as string, attributes, ...content);

/** The elements of a page below its title. */
export function DocContent({ page }: { page: DocPage }) {
  return createElement('div', { className: 'text-14/6 [&>:first-child]:mt-0' }, ...page.content(h));
}
