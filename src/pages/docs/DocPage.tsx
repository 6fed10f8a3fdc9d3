import docsIndex from 'virtual:docs-index';
import { type LoaderFunctionArgs, useLoaderData, useLocation, useParams } from 'react-router';
import { Link, NavLink } from '../../components/Link.tsx';
import type { Handle } from '../../layouts/handle.ts';
import { ScrollPage } from '../../layouts/ScrollPage.tsx';
import { path } from '../../lib/path.ts';
import { DocContent } from './DocContent.tsx';
import { type DocPage, loadDocPage } from './doc-pages.ts';

const titles = new Map(docsIndex.map(([page, title]) => [page, title]));

export const handle: Handle = { crumb: ({ params }) => titles.get(params['*'] ?? '') ?? 'Documentation' };

export async function loader({ params }: Pick<LoaderFunctionArgs, 'params'>): Promise<DocPage> {
  const page = await loadDocPage(params['*'] ?? '');
  if (!page) throw new Response(null, { status: 404 });
  return page;
}

export function Component() {
  const page = useLoaderData<DocPage>();
  const { '*': name = '' } = useParams();
  const { hash } = useLocation();
  // the key of the article is the heading, so this runs for each
  const begin = (article: HTMLElement | null) => {
    if (hash) article?.querySelector(`#${CSS.escape(decodeURIComponent(hash.slice(1)))}`)?.scrollIntoView();
  };
  return (
    <div className="flex min-h-0 flex-1">
      <Pages />
      <ScrollPage key={name} label={page.title}>
        <div className="flex max-w-[1080px] gap-10 px-6 py-6 max-sm:px-4">
          <article key={hash} ref={begin} className="min-w-0 max-w-[760px] flex-1">
            <h1 tabIndex={-1} className="mb-4 text-24">
              {page.title}
            </h1>
            <DocContent page={page} />
          </article>
          <Headings page={name} />
        </div>
      </ScrollPage>
    </div>
  );
}

const SHELVES = [
  ['guides/', 'Guides'],
  ['reference/', 'Reference'],
  ['internals/', 'Internals'],
] as const;

/** All pages by shelf; on a phone the index page has these links. */
function Pages() {
  return (
    <nav
      aria-label="Documentation"
      className="w-52 flex-none overflow-y-auto border-r border-line px-2 py-3 max-md:hidden"
    >
      <PageLink page="" title="Documentation" />
      {SHELVES.map(([start, name]) => {
        const pages = docsIndex.filter(([page]) => page.startsWith(start));
        if (pages.length === 0) return null;
        return (
          <section key={start}>
            <h2 className="px-2 pt-4 pb-1 text-12 font-medium tracking-normal text-fg-3">{name}</h2>
            {pages.map(([page, title]) => (
              <PageLink key={page} page={page} title={title} />
            ))}
          </section>
        );
      })}
    </nav>
  );
}

function PageLink({ page, title }: { page: string; title: string }) {
  return (
    <NavLink
      end
      to={path.docs(page)}
      className="block rounded px-2 py-1 focus-visible:-outline-offset-2 text-fg-2 no-underline hover:bg-hover hover:text-fg aria-[current=page]:bg-press aria-[current=page]:text-fg"
    >
      {title}
    </NavLink>
  );
}

/** The sections of the page, where there is room for them. */
function Headings({ page }: { page: string }) {
  const headings = docsIndex.find(([each]) => each === page)?.[2].filter(([depth]) => depth === 2) ?? [];
  if (headings.length < 2) return null;
  return (
    <nav
      aria-label="On this page"
      className="sticky top-0 max-h-[80vh] w-56 flex-none self-start overflow-y-auto max-xl:hidden"
    >
      <h2 className="px-1 pb-1 text-12 font-medium tracking-normal text-fg-3">On this page</h2>
      {headings.map(([, id, text]) => (
        <Link
          key={id}
          to={{ hash: id }}
          className="block rounded px-1 py-1 text-12 focus-visible:-outline-offset-2 text-fg-2 no-underline hover:text-fg"
        >
          {text}
        </Link>
      ))}
    </nav>
  );
}
