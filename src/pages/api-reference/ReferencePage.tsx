import { useEffect, useRef, useState } from 'react';
import { type LoaderFunctionArgs, redirect, useLoaderData, useParams } from 'react-router';
import { shown } from '../../api/client.ts';
import { ensure, usePrefetchedQuery } from '../../api/queries.ts';
import { queryClient } from '../../api/query-client.ts';
import { sessionQuery } from '../../api/session.ts';
import { Link, NavLink } from '../../components/Link.tsx';
import { useTitle } from '../../hooks/use-title.ts';
import { path } from '../../lib/path.ts';
import { SearchInput } from '../../ui/controls/SearchInput.tsx';
import { cx } from '../../ui/cx.ts';
import { Mark } from '../../ui/Mark.tsx';
import { scrollRegion } from '../../ui/scroll-region.ts';
import { OperationArticle, Part } from './OperationArticle.tsx';
import { groupsOf, loadReference, nounOf, type Reference } from './reference-document.ts';
import { Words } from './Words.tsx';

/** Without a session the page is shown if the installation allows it (SLUICE_API_REFERENCE). */
export async function loader({ request }: LoaderFunctionArgs): Promise<Reference> {
  const [reference] = await Promise.all([loadReference(), ensure(sessionQuery)]);
  const session = queryClient.getQueryData(sessionQuery.queryKey)?.session;
  if (session) shown.account = session.account_id;
  else if (!reference.document.info['x-public']) throw redirect(path.signIn(new URL(request.url).pathname));
  return reference;
}

/** The API reference: operations by noun, from the OpenAPI document of the installation. */
export function Component() {
  const reference = useLoaderData<typeof loader>();
  const { operation: name } = useParams();
  const { session } = usePrefetchedQuery(sessionQuery).data;
  const operation = reference.operations.find(({ operationId }) => operationId === name);
  const main = useRef<HTMLElement>(null);
  useTitle(`${operation ? `${operation.summary} · ` : ''}API reference · Sluice`);
  useEffect(() => {
    main.current?.scrollTo(0, 0);
    if (name !== undefined) main.current?.querySelector('h1')?.focus({ preventScroll: true });
  }, [name]);
  return (
    <div className="flex h-dvh min-w-0 flex-col bg-page text-13">
      <a
        href="#main"
        className="sr-only z-50 rounded bg-raised px-3 py-2 text-accent shadow-pop focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        Skip to content
      </a>
      <header className="flex h-bar flex-none items-center gap-3 border-b border-line bg-frame px-4 max-sm:px-3">
        <Mark size={20} />
        <Link to={path.apiReference()} className="font-strong text-fg no-underline">
          API reference
        </Link>
        <span className="text-12 text-fg-3 max-sm:hidden">{reference.document.info.version}</span>
        <Link to={session ? path.overview() : path.signIn()} className="link ml-auto">
          {session ? 'Console' : 'Sign in'}
        </Link>
      </header>
      <div className={cx('flex min-h-0 flex-1', name === undefined && 'max-md:flex-col max-md:overflow-y-auto')}>
        <OperationList reference={reference} isAside={name !== undefined} />
        <main
          id="main"
          ref={main}
          tabIndex={-1}
          className={cx(
            'min-w-0 flex-1 overflow-y-auto p-6 outline-none max-sm:p-3',
            name === undefined && 'max-md:order-first max-md:flex-none max-md:overflow-visible',
          )}
        >
          {name === undefined ? null : (
            <Link to={path.apiReference()} className="link mb-3 inline-block md:hidden">
              All operations
            </Link>
          )}
          {operation ? (
            <OperationArticle
              key={operation.operationId}
              reference={reference}
              operation={operation}
              isSignedIn={session !== null}
            />
          ) : (
            <Introduction reference={reference} unknown={name} />
          )}
        </main>
      </div>
    </div>
  );
}

function OperationList({ reference, isAside }: { reference: Reference; isAside: boolean }) {
  const [search, setSearch] = useState('');
  const groups = groupsOf(reference, search);
  return (
    <nav
      aria-label="Operations"
      className={cx(
        'flex w-72 flex-none flex-col border-r border-line bg-frame max-md:w-full max-md:border-r-0',
        isAside && 'max-md:hidden',
      )}
    >
      <div className="flex-none p-3">
        <SearchInput label="Search operations" placeholder="Search operations" value={search} onChange={setSearch} />
      </div>
      <div {...scrollRegion('List of operations')} className="min-h-0 flex-1 overflow-y-auto px-2 pb-4">
        {groups.map((group) => (
          <section key={group.name} aria-label={nounOf(group.name)}>
            <h2 title={group.description} className="px-2 pt-3 pb-1 text-12 font-medium text-fg-3">
              {nounOf(group.name)}
            </h2>
            <ul>
              {group.operations.map(({ operationId, summary, method }) => (
                <li key={operationId}>
                  <NavLink
                    to={path.apiReference(operationId)}
                    className="flex min-h-7 items-center gap-2 rounded px-2 py-1 text-fg-2 no-underline hover:bg-hover hover:text-fg aria-[current=page]:bg-press aria-[current=page]:text-fg pointer-coarse:min-h-10"
                  >
                    <span className="min-w-0 flex-1">{summary}</span>
                    <span className="data flex-none text-11 text-fg-3">{method}</span>
                  </NavLink>
                </li>
              ))}
            </ul>
          </section>
        ))}
        {groups.length === 0 ? <p className="px-2 text-fg-3">No operation matches.</p> : null}
      </div>
    </nav>
  );
}

function Introduction({ reference, unknown }: { reference: Reference; unknown: string | undefined }) {
  const { info } = reference.document;
  return (
    <article className="max-w-[760px]">
      <h1 tabIndex={-1} className="text-18 outline-none">
        {unknown === undefined ? 'API reference' : 'There is no such operation'}
      </h1>
      <div className="mt-2">
        <Words text={info.description} />
      </div>
      <Part title="Authentication">
        <Words text="Send an API key with every request: `Authorization: Bearer <API_KEY>`. Keys are made under Settings, with full access or limited." />
      </Part>
      <Part title="URLs">
        <p>
          Paths are relative to <code className="data wrap-anywhere">{reference.baseUrl}</code>. Code generators read
          the same from the document.
        </p>
        <p className="mt-1">
          <a className="link" href="/api/openapi.json" target="_blank" rel="noreferrer">
            OpenAPI document
          </a>
        </p>
      </Part>
    </article>
  );
}
