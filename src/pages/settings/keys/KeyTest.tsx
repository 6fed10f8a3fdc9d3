import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { CircleCheck, TriangleAlert } from 'lucide-react';
import { useEffect, useState } from 'react';
import { type Control, useWatch } from 'react-hook-form';
import { KEY_LIMITS_MAX_CHARS } from '../../../../contract/keys/key-limits.ts';
import type { Reply } from '../../../api/operation.ts';
import { q } from '../../../api/queries.ts';
import { formatCount, plural } from '../../../lib/format.ts';
import { cx } from '../../../ui/cx.ts';
import { Time } from '../../../ui/Time.tsx';
import { type KeyValues, keySchema, limitsText } from './key-form.ts';

const TYPING_MS = 400;
const SHOWN = 5;

/** Tests the edited limits on the past use of the key: how many of its calls they would have refused. */
export function KeyTest({ keyId, control }: { keyId: string; control: Control<KeyValues> }) {
  const values = useWatch({ control }) as KeyValues;
  const text = keySchema.safeParse(values).success ? limitsText(values) : undefined;
  const limits = useSettled(text);
  const { data, error } = useQuery({
    ...q('apiKeyTest', { params: { key_id: keyId }, query: { limits: limits ?? '{}' } }),
    enabled: limits !== undefined && limits.length <= KEY_LIMITS_MAX_CHARS,
    placeholderData: keepPreviousData,
    retry: false,
  });
  if (text === undefined) return null;
  if (error) return <Line tone="warn">{error.message}</Line>;
  if (!data || limits !== text) return <Line tone="quiet">Testing these limits on past use…</Line>;
  return <Result test={data} />;
}

/** The text, once it has not changed for a moment. */
function useSettled(text: string | undefined): string | undefined {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

function Result({ test }: { test: Reply<'apiKeyTest'> }) {
  const { calls, refused, untested, examples, refused_addresses } = test;
  if (calls === 0)
    return (
      <Line tone="quiet">
        The key was not used since <Time at={test.since} as="full" />, so these limits can’t be tested on past use.
      </Line>
    );
  const outside = refused_addresses.reduce((sum, each) => sum + each.calls, 0);
  return (
    <Line tone={refused + outside === 0 ? 'ok' : 'warn'}>
      Would have refused {formatCount(refused)} of {plural(calls, 'call')} since <Time at={test.since} as="full" />.
      {untested > 0 ? ` ${plural(untested, 'call')} could not be tested.` : null}
      {outside > 0
        ? ` ${plural(outside, 'call')} came from other IP addresses: ${refused_addresses
            .slice(0, SHOWN)
            .map(({ ip }) => ip || 'others')
            .join(', ')}.`
        : null}
      {examples.length > 0 ? (
        <ul className="mt-1 grid gap-1">
          {examples.slice(0, SHOWN).map(({ what, calls: times, reason }) => (
            <li key={`${what} ${reason}`} className="wrap-anywhere">
              <span className="data">{what}</span> · {plural(times, 'call')} · {reason}
            </li>
          ))}
        </ul>
      ) : null}
    </Line>
  );
}

const TONES = {
  ok: 'border-ok-line bg-ok-bg text-ok-fg',
  warn: 'border-warn-line bg-warn-bg text-warn-fg',
  quiet: 'border-line bg-sunken text-fg-2',
};

function Line({ tone, children }: { tone: keyof typeof TONES; children: React.ReactNode }) {
  const Icon = tone === 'ok' ? CircleCheck : TriangleAlert;
  return (
    // two lines at least, so that what is below does not move when the test ends
    <div role="status" className={cx('flex min-h-13 items-start gap-2 rounded border px-3 py-2 text-12', TONES[tone])}>
      {tone === 'quiet' ? null : <Icon size={14} strokeWidth={2} className="mt-0.5 flex-none" aria-hidden />}
      <div className="min-w-0 flex-1">{children}</div>
    </div>
  );
}
