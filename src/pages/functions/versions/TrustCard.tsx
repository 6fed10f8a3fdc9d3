import { useQuery } from '@tanstack/react-query';
import { Copy, X } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { toApiError } from '../../../api/api-error.ts';
import type { HostedFunction } from '../../../api/entities.ts';
import type { Reply } from '../../../api/operation.ts';
import { q } from '../../../api/queries.ts';
import { useReason, useSession } from '../../../api/session.ts';
import { Link } from '../../../components/Link.tsx';
import { plural } from '../../../lib/format.ts';
import { path } from '../../../lib/path.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { Disclosure } from '../../../ui/controls/Disclosure.tsx';
import { IconButton } from '../../../ui/controls/IconButton.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { SkeletonLines } from '../../../ui/Skeleton.tsx';
import { scrollRegion } from '../../../ui/scroll-region.ts';
import { CopyFunction } from '../code/CopyFunction.tsx';
import { networkWords } from './network-words.ts';
import { rememberSeen, seenVersion } from './seen-versions.ts';
import { TrustChanges } from './TrustChanges.tsx';

type Trust = Reply<'functionTrust'>['trust'];
type Named = Trust['env'][number];

interface TrustCardProps {
  fn: HostedFunction;
  /** The displayed version. */
  version: number;
  onClose: () => void;
}

/**
 * The code analysis beside another account's code: variables, hosts, apps and packages, with changes since the last
 * viewed version, and the copy button.
 */
export function TrustCard({ fn, version, onClose }: TrustCardProps) {
  const { account_id } = useSession();
  const { function_id } = fn;
  // the value when the page was opened
  const [seen] = useState(() => seenVersion(account_id, function_id));
  const since = seen !== undefined && seen !== version ? seen : undefined;
  const compared = useQuery({
    ...q('functionTrust', { params: { function_id }, query: { version, since } }),
    // the last viewed version may have been deleted with its function
    retry: false,
  });
  // or it is not public any more
  const isAlone = since !== undefined && compared.isError && toApiError(compared.error).status === 400;
  const alone = useQuery({ ...q('functionTrust', { params: { function_id }, query: { version } }), enabled: isAlone });
  const { data, error, refetch } = isAlone ? alone : compared;
  useEffect(() => {
    if (data) rememberSeen(account_id, function_id, version);
  }, [data, account_id, function_id, version]);
  const [copying, setCopying] = useState(false);
  const reason = useReason('functionCopy');
  return (
    <aside
      aria-label="Code analysis"
      className="flex w-80 flex-none flex-col border-l border-line bg-page max-md:fixed max-md:inset-0 max-md:z-30 max-md:w-full max-md:border-l-0"
    >
      <div className="flex min-h-9 flex-none items-center gap-2 border-b border-line px-3 py-1">
        <h2 className="min-w-0 flex-1 truncate text-13">Analysis</h2>
        <Button
          size="sm"
          icon={Copy}
          reason={reason ?? (data ? undefined : 'The code is being analyzed.')}
          onClick={() => setCopying(true)}
        >
          Copy to this account
        </Button>
        <IconButton size="sm" icon={X} label="Hide code analysis" onClick={onClose} />
      </div>
      <div
        {...scrollRegion('Code analysis')}
        className="grid min-h-0 flex-1 auto-rows-min gap-4 overflow-y-auto px-3 py-3 focus-visible:-outline-offset-2"
      >
        {error && !data ? (
          <ErrorState
            title="The code could not be analyzed"
            detail={toApiError(error).message}
            requestId={toApiError(error).requestId}
            onRetry={() => void refetch()}
          />
        ) : data ? (
          <Facts fn={fn} trust={data.trust} />
        ) : (
          <SkeletonLines lines={8} label="Analyzing the code" />
        )}
      </div>
      {copying && data ? (
        <CopyFunction
          fn={fn}
          version={version}
          keys={data.trust.env.map(({ name }) => name)}
          apps={data.trust.apps.map(({ name }) => name)}
          onClose={() => setCopying(false)}
        />
      ) : null}
    </aside>
  );
}

function Facts({ fn, trust }: { fn: HostedFunction; trust: Trust }) {
  const unknown = (about: Trust['unknown'][number]['about']) => trust.unknown.filter((each) => each.about === about);
  const place = { fn, version: trust.version };
  return (
    <>
      {trust.changes ? <TrustChanges fn={fn} version={trust.version} changes={trust.changes} /> : null}
      <Part title="Environment" none="Reads no variables." list={trust.env} unknown={unknown('ENV')} {...place}>
        Some keys are computed at run time, or the whole environment is passed on:
      </Part>
      <Part title="Hosts" none="Names no hosts." list={trust.hosts} unknown={unknown('ADDRESS')} {...place}>
        Some hosts are only known at run time:
      </Part>
      <Part title="Apps through the gateway" none="Calls no apps." list={trust.apps} unknown={[]} {...place} />
      <Part title="Packages" none="Uses none." list={trust.packages} unknown={unknown('CODE')} {...place}>
        Runs code that isn’t in its files:
      </Part>
      {trust.packages.length > 0 ? <p className="-mt-2 text-12 text-fg-3">Packages are not analyzed.</p> : null}
      {unknown('FILE').length > 0 ? (
        <Part title="Files not analyzed" none="" list={[]} unknown={unknown('FILE')} {...place} />
      ) : null}
      <section className="grid gap-1">
        <h3 className="text-12 font-medium text-fg-2">Network policy</h3>
        <p>{networkWords(trust)}</p>
      </section>
    </>
  );
}

interface PartProps {
  title: string;
  none: string;
  list: readonly Named[];
  unknown: Trust['unknown'];
  fn: HostedFunction;
  version: number;
  /** Precedes the entries that cannot be determined. */
  children?: ReactNode;
}

function Part({ title, none, list, unknown, fn, version, children }: PartProps) {
  const to = ({ path: file, line }: { path: string; line: number }) =>
    path.functionLine(fn.function_id, { file, line, ...(version === fn.version ? {} : { version }) });
  return (
    <section className="grid gap-1">
      <h3 className="text-12 font-medium text-fg-2">{title}</h3>
      {list.length === 0 && unknown.length === 0 ? <p className="text-fg-3">{none}</p> : null}
      <ul className="empty:hidden">
        {list.map(({ name, places }) => (
          <li key={name} className="flex min-h-6 flex-wrap items-baseline gap-x-2">
            <span className="data wrap-anywhere">{name}</span>
            {places[0] ? (
              <Link className="link inline-flex min-h-6 items-center text-12 wrap-anywhere" to={to(places[0])}>
                {places[0].path}:{places[0].line}
              </Link>
            ) : null}
            {places.length > 1 ? (
              <div className="basis-full">
                <Disclosure
                  summary={
                    <>
                      and {plural(places.length - 1, 'place')} more<span className="sr-only"> of {name}</span>
                    </>
                  }
                >
                  <ul className="pb-1 pl-[18px]">
                    {places.slice(1).map((place) => (
                      <li key={`${place.path}:${place.line}`}>
                        <Link className="link inline-flex min-h-6 items-center text-12 wrap-anywhere" to={to(place)}>
                          {place.path}:{place.line}
                        </Link>
                      </li>
                    ))}
                  </ul>
                </Disclosure>
              </div>
            ) : null}
          </li>
        ))}
      </ul>
      {unknown.length > 0 ? (
        <div className="grid gap-1 rounded border border-warn-line bg-warn-bg px-2 py-1.5 text-12 text-warn-fg">
          {children ? <p>{children}</p> : null}
          <ul>
            {unknown.map(({ path: file, line, text }) => (
              <li key={`${file}:${line}`} className="wrap-anywhere">
                {file ? (
                  <Link className="text-warn-fg underline" to={to({ path: file, line })}>
                    {file}:{line}
                  </Link>
                ) : null}{' '}
                <code>{text}</code>
              </li>
            ))}
          </ul>
        </div>
      ) : null}
    </section>
  );
}
