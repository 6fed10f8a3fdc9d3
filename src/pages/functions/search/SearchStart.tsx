import { Clock, TextSearch, X } from 'lucide-react';
import { useSession } from '../../../api/session.ts';
import { Link } from '../../../components/Link.tsx';
import { forgetSearch, useRecentSearches } from '../../../layouts/palette/recent-searches.ts';
import { path } from '../../../lib/path.ts';
import { IconButton } from '../../../ui/controls/IconButton.tsx';
import { useSearchExamples } from './search-examples.ts';

/** Shown for an empty query: recent searches, and examples with results. */
export function SearchStart({ owner, onChoose }: { owner: 'SELF' | 'ALL'; onChoose?: () => void }) {
  const { account_id } = useSession();
  const recent = useRecentSearches(account_id);
  const examples = useSearchExamples(owner);
  return (
    <div className="grid gap-3">
      {recent.length > 0 ? (
        <section aria-label="Recent searches">
          <h2 className="px-2 text-11 font-medium text-fg-3">Recent searches</h2>
          <ul>
            {recent.map((search) => (
              <li key={`${search.owner} ${search.q}`} className="flex items-center">
                <Link
                  data-start
                  onClick={onChoose}
                  to={path.functionSearch({ q: search.q, ...(search.owner === 'ALL' ? { owner: 'ALL' } : {}) })}
                  className="flex h-8 min-w-0 flex-1 items-center gap-2 rounded-sm px-2 text-fg no-underline hover:bg-hover"
                >
                  <Clock size={14} className="flex-none text-fg-3" aria-hidden />
                  <span className="data truncate">{search.q}</span>
                  {search.owner === 'ALL' ? <span className="flex-none text-12 text-fg-3">public</span> : null}
                </Link>
                <IconButton
                  size="sm"
                  icon={X}
                  label={`Remove recent search ${search.q}`}
                  onClick={() => forgetSearch(account_id, search)}
                />
              </li>
            ))}
          </ul>
        </section>
      ) : null}
      {examples.length > 0 ? (
        <section aria-label="Examples">
          <h2 className="px-2 text-11 font-medium text-fg-3">
            {owner === 'ALL' ? 'In public functions' : 'In these functions'}
          </h2>
          <ul>
            {examples.map(({ q, what }) => (
              <li key={q}>
                <Link
                  data-start
                  onClick={onChoose}
                  to={path.functionSearch({ q, ...(owner === 'ALL' ? { owner } : {}) })}
                  className="flex min-h-8 min-w-0 flex-wrap items-center gap-x-2 rounded-sm px-2 text-fg no-underline hover:bg-hover"
                >
                  <TextSearch size={14} className="flex-none text-fg-3" aria-hidden />
                  <span className="data">{q}</span>
                  <span className="text-12 text-fg-3">{what}</span>
                </Link>
              </li>
            ))}
          </ul>
        </section>
      ) : null}
      <HowToType />
    </div>
  );
}

/** The query syntax. */
export function HowToType() {
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-3 gap-y-0.5 px-2 text-12 text-fg-3">
      <dt className="data text-fg-2">order sync</dt>
      <dd>words in names and descriptions</dd>
      <dt className="data text-fg-2">"fetch("</dt>
      <dd>code, exactly as written between the quotes</dd>
      <dt className="data text-fg-2">/fetch\(.*retry/</dt>
      <dd>code, by a regular expression</dd>
      <dt className="data text-fg-2">"axios" -("test" OR /mock/)</dt>
      <dd>several terms: also AND, OR, NOT</dd>
      <dt className="data text-fg-2">path:lib/ lang:ts runs:&gt;100</dt>
      <dd>filters; also runtime, owner, name, version, deployed, visibility</dd>
      <dt className="data text-fg-2">symbol:send* host:api.stripe.com</dt>
      <dd>what code defines and calls; also imports, env</dd>
    </dl>
  );
}
