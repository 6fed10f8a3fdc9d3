import { useQuery } from '@tanstack/react-query';
import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { type Control, useWatch } from 'react-hook-form';
import type { HostedFunction } from '../../../api/entities.ts';
import { formatCount, plural } from '../../../lib/format.ts';
import { SkeletonLines } from '../../../ui/Skeleton.tsx';
import { Callers, type Uses, UsingDestinations, usesQuery } from '../FunctionUses.tsx';
import { filesQuery } from '../function-queries.ts';
import type { Settings } from './function-settings.ts';
import { type Change, changesIn, hostsNamedIn, publicVersionsText, refusedHosts } from './settings-impact.ts';

const SHOWN = 8;

/** The impact of the edited settings, shown below the form. */
export function SettingsImpact({ fn, control }: { fn: HostedFunction; control: Control<Settings> }) {
  const values = useWatch({ control }) as Settings;
  const changes = changesIn(values, fn);
  const { data: uses, error } = useQuery({ ...usesQuery(fn), enabled: changes.length > 0 });
  if (changes.length === 0) return null;
  return (
    <section
      aria-label="Impact of this change"
      className="flex gap-2 rounded border border-warn-line bg-warn-bg px-3 py-2 text-12"
    >
      <TriangleAlert size={14} strokeWidth={2} className="mt-0.5 flex-none text-warn-fg" aria-hidden />
      <div role="status" className="min-w-0 flex-1">
        <ul className="grid gap-1.5">
          {uses ? (
            changes.map((change) => (
              <li key={change} className="min-w-0 wrap-anywhere">
                <DeletionImpact change={change} fn={fn} values={values} uses={uses} />
              </li>
            ))
          ) : (
            <li>
              {error ? 'The impact could not be determined.' : <SkeletonLines lines={2} label="Checking the impact" />}
            </li>
          )}
        </ul>
      </div>
    </section>
  );
}

interface TouchedProps {
  readonly change: Change;
  readonly fn: HostedFunction;
  readonly values: Settings;
  readonly uses: Uses;
}

function DeletionImpact({ change, fn, values, uses }: TouchedProps): ReactNode {
  switch (change) {
    case 'renamed':
      return (
        <>
          The URL changes: <span className="data">{fn.url}</span> stops responding and stays reserved for this account
          for 90 days.
          <UsingDestinations uses={uses} />
          <Callers uses={uses} />
        </>
      );
    case 'hidden':
      return (
        <>
          Other accounts lose access to it and its code
          {uses.stars_elsewhere > 0 ? `: ${plural(uses.stars_elsewhere, 'account')} starred it` : ''}. It was viewed{' '}
          {plural(fn.view_count, 'time')}. Now they see {formatCount(uses.versions.public)} of{' '}
          {plural(uses.versions.all, 'version')}; making it public again starts with the version that is live at that
          time.
        </>
      );
    case 'shown':
      return (
        <>
          All accounts of this installation will be able to find it and read its code.{' '}
          {publicVersionsText(fn.version, uses.versions.all)}
        </>
      );
    case 'closed':
      return (
        <>
          Calls without an API key of this account will be rejected.
          <Callers uses={uses} />
        </>
      );
    case 'opened':
      return (
        <>
          All callers with the URL <span className="data">{fn.url}</span> will be able to call it without a key.
        </>
      );
    case 'confined':
      return <Confined fn={fn} values={values} />;
  }
}

function Confined({ fn, values }: { fn: HostedFunction; values: Settings }) {
  const { data, error } = useQuery(filesQuery(fn.function_id));
  if (error && !data) return <>The hosts in the code could not be determined.</>;
  if (!data) return <>Checking the hosts in the code…</>;
  const refused = refusedHosts(hostsNamedIn(data.files), values);
  if (refused.length === 0)
    return (
      <>The live code names no host that this would block. Hosts that are computed at run time can’t be checked.</>
    );
  return (
    <>
      The live code names {plural(refused.length, 'host')} that will be blocked:{' '}
      <span className="data">{refused.slice(0, SHOWN).join(', ')}</span>
      {refused.length > SHOWN ? ` and ${formatCount(refused.length - SHOWN)} more` : ''}.
    </>
  );
}
