import { BellRing, Clock, ListRestart, ShieldCheck, Webhook } from 'lucide-react';
import type { Icon } from '../../ui/icon.ts';
import { AppIcon } from './AppIcon.tsx';

/** The icons of sources that are not apps. */
const BUILT_IN: Readonly<Record<string, Icon>> = {
  schedule: Clock,
  webhook: Webhook,
  'standard-webhooks': ShieldCheck,
  poll: ListRestart,
  sluice: BellRing,
};

/** The tile of a source: a clock for schedules, an app's picture or its letters. Its name or type is beside it. */
export function SourceMark({ source, name = source }: { source: string; name?: string }) {
  const Picture = BUILT_IN[source];
  if (Picture === undefined) return <AppIcon app={source} name={name} />;
  return (
    <span
      aria-hidden
      className="inline-grid size-[18px] flex-none place-items-center rounded-sm border border-line-2 bg-page text-fg-2"
    >
      <Picture size={11} strokeWidth={2} />
    </span>
  );
}
