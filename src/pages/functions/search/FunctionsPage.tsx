import { Plus } from 'lucide-react';
import { Outlet, useNavigate } from 'react-router';
import { useReason } from '../../../api/session.ts';
import { CopyAsCurl, curlText } from '../../../components/deliveries/CopyAsCurl.tsx';
import { Link } from '../../../components/Link.tsx';
import { NewButton } from '../../../components/NewButton.tsx';
import { usePageActions } from '../../../layouts/palette/page-actions.ts';
import { path } from '../../../lib/path.ts';
import { TabLink, Tabs } from '../../../ui/controls/Tabs.tsx';
import { PageHead } from '../../../ui/PageHead.tsx';
import { SearchBox } from './SearchBox.tsx';
import { searchAddress, useSearchState } from './search-state.ts';

/** The account's functions, or all public ones. Text in the search box replaces the list with search results. */
export function Component() {
  const [state] = useSearchState();
  const { q, owner } = state;
  const reason = useReason('functionCreate');
  const navigate = useNavigate();
  usePageActions([{ label: 'New function', icon: Plus, reason, onSelect: () => void navigate(path.functionNew()) }]);
  const to = (which: 'SELF' | 'ALL') => searchAddress({ ...state, owner: which, visibility: undefined });
  return (
    <>
      <PageHead
        title="Functions"
        actions={
          <>
            {q ? null : (
              <span className="max-sm:hidden">
                <CopyAsCurl text={() => curlText('functionList', { query: { owner } })} what="list functions" />
              </span>
            )}
            <NewButton operation="functionCreate" to={path.functionNew()} variant="primary">
              New function
            </NewButton>
          </>
        }
      >
        <Tabs label="Function lists">
          <TabLink render={<Link to={to('SELF')} />} current={owner === 'SELF'}>
            Mine
          </TabLink>
          <TabLink render={<Link to={to('ALL')} />} current={owner === 'ALL'}>
            Public
          </TabLink>
        </Tabs>
      </PageHead>
      <SearchBox />
      <Outlet />
    </>
  );
}
