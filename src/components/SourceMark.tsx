import { Clock } from 'lucide-react';
import { AppIcon } from './AppIcon.tsx';

/** The tile of what sends events: a clock for schedules, an app's own picture or its letters. The name or the type stands beside it. */
export function SourceMark({ source }: { source: string }) {
  if (source !== 'schedule') return <AppIcon app={source} name={source} />;
  return (
    <span
      aria-hidden
      className="inline-grid size-[18px] flex-none place-items-center rounded-sm border border-line-2 bg-page text-fg-2"
    >
      <Clock size={11} strokeWidth={2} />
    </span>
  );
}
