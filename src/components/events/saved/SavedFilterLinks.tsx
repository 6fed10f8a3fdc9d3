import { useQuery } from '@tanstack/react-query';
import { useLocation } from 'react-router';
import { formatCount } from '../../../lib/format.ts';
import { path } from '../../../lib/path.ts';
import { Link } from '../../Link.tsx';
import { savedFilterCountsQuery, savedFilterPath, savedFiltersQuery } from './saved-filters.ts';

/** The saved filters of the account in the navigation, with the number of events of each. */
export default function SavedFilterLinks() {
  const saved = useQuery(savedFiltersQuery).data?.saved_filters ?? [];
  const counts = useQuery({ ...savedFilterCountsQuery, enabled: saved.length > 0 }).data?.counts ?? [];
  const { pathname, search } = useLocation();
  const opened = pathname.startsWith(path.events()) ? new URLSearchParams(search).get('saved') : null;
  if (saved.length === 0) return null;
  return (
    <ul aria-label="Saved filters" className="grid min-w-0 gap-px">
      {saved.map((each) => {
        const counted = counts.find(({ saved_filter_id }) => saved_filter_id === each.saved_filter_id);
        return (
          <li key={each.saved_filter_id} className="min-w-0">
            <Link
              to={savedFilterPath(each)}
              aria-current={opened === each.saved_filter_id ? 'true' : undefined}
              title={each.name}
              className="flex h-7 min-w-0 items-center gap-2 rounded pr-2 pl-8.5 text-fg-2 no-underline hover:bg-hover hover:text-fg aria-[current=true]:bg-press aria-[current=true]:text-fg pointer-coarse:h-10"
            >
              <span className="min-w-0 flex-1 truncate">{each.name}</span>
              {counted ? (
                <span className="data flex-none text-12 text-fg-3">
                  {formatCount(counted.count)}
                  {counted.at_least ? '+' : ''}
                  <span className="sr-only"> events</span>
                </span>
              ) : null}
            </Link>
          </li>
        );
      })}
    </ul>
  );
}
