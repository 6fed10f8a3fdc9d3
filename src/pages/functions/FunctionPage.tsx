import { Star } from 'lucide-react';
import type { ReactNode } from 'react';
import { Outlet, useLocation, useParams } from 'react-router';
import type { HostedFunction } from '../../api/entities.ts';
import { useApiMutation } from '../../api/mutations.ts';
import { usePrefetchedQuery } from '../../api/queries.ts';
import { useReason } from '../../api/session.ts';
import { Link, NavLink } from '../../components/Link.tsx';
import { TabError } from '../../layouts/page-errors.tsx';
import { formatCount, plural } from '../../lib/format.ts';
import { type FunctionTab, path } from '../../lib/path.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/controls/Button.tsx';
import { CopyButton } from '../../ui/controls/CopyButton.tsx';
import { TabLink, Tabs } from '../../ui/controls/Tabs.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { PageHead } from '../../ui/PageHead.tsx';
import { FunctionGuard } from './FunctionGuard.tsx';
import { FunctionTags } from './FunctionTags.tsx';
import { functionQuery, idIn, useIsOwn } from './function-queries.ts';
import { FailedRuns } from './runs/FailedRuns.tsx';
import { useMissingApps } from './settings/MissingGrants.tsx';

/** Tabs that only the owner sees. */
const OWNERS: readonly string[] = ['runs', 'logs', 'environment', 'settings'] satisfies FunctionTab[];

/** One function: code, versions, runs, logs, environment and settings; each tab has its own URL. */
export function Component() {
  const functionId = idIn(useParams());
  return (
    <Frame>
      <Outlet key={functionId} />
    </Frame>
  );
}

/** An error in a tab leaves the page head in place. */
export function ErrorBoundary() {
  return (
    <Frame>
      <TabError />
    </Frame>
  );
}

function Frame({ children }: { children: ReactNode }) {
  const functionId = idIn(useParams());
  const { function: fn } = usePrefetchedQuery(functionQuery(functionId)).data;
  const own = useIsOwn(fn);
  const [, , , part = ''] = useLocation().pathname.split('/');
  return (
    <>
      <PageHead
        title={<span title={fn.name}>{fn.name}</span>}
        meta={
          <>
            <FunctionTags fn={fn} />
            {own ? (
              <FailedRuns functionId={functionId} />
            ) : (
              <span className="min-w-0 truncate text-fg-2" title={fn.account_name}>
                by {fn.account_name}, {plural(fn.view_count, 'view')}
              </span>
            )}
            <span className="flex min-w-0 items-center gap-1">
              {fn.invoke_access === 'ANYONE' ? (
                <a className="link data min-w-0 truncate" href={fn.url} title={fn.url} target="_blank" rel="noreferrer">
                  {fn.url}
                  <span className="sr-only">, in a new tab</span>
                </a>
              ) : (
                <span className="data min-w-0 truncate text-fg-3" title={fn.url}>
                  {fn.url}
                </span>
              )}
              <CopyButton text={fn.url} label="Copy URL" />
            </span>
          </>
        }
        actions={fn.visibility === 'PUBLIC' ? <StarButton fn={fn} /> : undefined}
      >
        <Tabs label={`Parts of ${fn.name}`}>
          <TabLink render={<NavLink end to={path.function(functionId)} />}>Code</TabLink>
          <TabLink render={<NavLink to={path.function(functionId, 'versions')} />}>Versions</TabLink>
          {own ? (
            <>
              <TabLink render={<NavLink to={path.function(functionId, 'runs')} />}>Runs</TabLink>
              <TabLink render={<NavLink to={path.function(functionId, 'logs')} />}>Logs</TabLink>
              <TabLink render={<NavLink to={path.function(functionId, 'environment')} />}>Environment</TabLink>
              <TabLink render={<NavLink to={path.function(functionId, 'settings')} />}>Settings</TabLink>
            </>
          ) : null}
        </Tabs>
      </PageHead>
      {own && part !== 'settings' ? <MissingGrantsBanner fn={fn} /> : null}
      {own || !OWNERS.includes(part) ? (
        children
      ) : (
        <EmptyState title={`Only ${fn.account_name} can see this`}>
          Its code and versions are public. Runs, logs, environment and settings are visible to its owner only.
        </EmptyState>
      )}
      <FunctionGuard functionId={functionId} />
    </>
  );
}

/** Asks for the apps that the code calls and that the function is not granted. */
function MissingGrantsBanner({ fn }: { fn: HostedFunction }) {
  const missing = useMissingApps(fn);
  if (missing.length === 0) return null;
  return (
    <Banner
      tone="warn"
      action={
        <Link className="link" to={path.function(fn.function_id, 'settings')}>
          Grant in settings
        </Link>
      }
    >
      Its code calls <span className="data wrap-anywhere">{missing.join(', ')}</span>, which it is not granted: these
      calls get 403.
    </Banner>
  );
}

/** The star of this account, and the number of stars. */
function StarButton({ fn }: { fn: HostedFunction }) {
  const reason = useReason('functionStar');
  const params = { function_id: fn.function_id };
  const lists = ['functionGet', 'functionList', 'functionSearch'] as const;
  const star = useApiMutation('functionStar', { failure: 'The star was not set', invalidates: lists });
  const unstar = useApiMutation('functionUnstar', { failure: 'The star was not removed', invalidates: lists });
  const { mutate, isPending } = fn.starred ? unstar : star;
  return (
    <Button
      icon={Star}
      aria-pressed={fn.starred}
      reason={reason}
      pending={isPending}
      onClick={() => mutate({ params })}
    >
      {`${fn.starred ? 'Starred' : 'Star'} ${formatCount(fn.star_count)}`}
      <span className="sr-only">: {fn.name}</span>
    </Button>
  );
}
