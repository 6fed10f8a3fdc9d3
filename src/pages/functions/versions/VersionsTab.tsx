import { useInfiniteQuery } from '@tanstack/react-query';
import { type LoaderFunctionArgs, useParams } from 'react-router';
import { mayServe } from '../../../../contract/states.ts';
import { ensure, usePrefetchedQuery } from '../../../api/queries.ts';
import { useReason } from '../../../api/session.ts';
import type { Handle } from '../../../layouts/handle.ts';
import { useUrlState } from '../../../lib/url-state.ts';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { functionQuery, idIn, useIsOwn, versionsQuery } from '../function-queries.ts';
import { VersionCompare } from './VersionCompare.tsx';

const defaults = { from: '', to: '', file: '', rollback: '' };

export const handle: Handle = { crumb: 'Versions' };
export const loader = ({ params }: LoaderFunctionArgs) =>
  ensure(functionQuery(idIn(params)), versionsQuery(idIn(params)));

const numberIn = (text: string): number | undefined => (/^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined);

/** All versions, and a diff between two of them. A roll-back shows its diff first. */
export function Component() {
  const functionId = idIn(useParams());
  const { function: fn } = usePrefetchedQuery(functionQuery(functionId)).data;
  const own = useIsOwn(fn);
  const { data, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(versionsQuery(functionId));
  const versions = data?.pages.flatMap((page) => page.versions) ?? [];
  const [url, set] = useUrlState(defaults);
  const role = useReason('functionUpdate');

  const rollback = own ? numberIn(url.rollback) : undefined;
  const to = rollback ?? numberIn(url.to) ?? fn.version;
  const before = versions.find(({ version }) => version < to) ?? versions.find(({ version }) => version !== to);
  const from = rollback === undefined ? (numberIn(url.from) ?? before?.version) : fn.version;
  const whyNot = (version: number) => {
    const verdict = mayServe(version, fn.version);
    return verdict.can ? role : verdict.reason;
  };
  if (versions.length === 0) {
    return <EmptyState title="No versions">Each deploy creates a version.</EmptyState>;
  }
  return (
    <VersionCompare
      fn={fn}
      versions={versions}
      from={from}
      to={to}
      file={url.file}
      rollback={rollback !== undefined && rollback !== fn.version}
      onFile={(file) => set({ file })}
      onFrom={(version) => set({ from: String(version), to: String(to), rollback: undefined })}
      onTo={(version) => set({ from: String(from ?? version), to: String(version), rollback: undefined })}
      onRollback={(version) =>
        set(
          { rollback: version === undefined ? undefined : String(version), file: undefined },
          { push: version !== undefined },
        )
      }
      rollbackReason={own ? whyNot : undefined}
      onMore={hasNextPage ? () => void fetchNextPage() : undefined}
      loadingMore={isFetchingNextPage}
    />
  );
}
