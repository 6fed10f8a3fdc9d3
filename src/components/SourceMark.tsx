import { Clock } from 'lucide-react';
import { Monogram } from '../ui/Monogram.tsx';

/** The tile of what sends events: a clock for schedules, an app's letters. The name or the type stands beside it. */
export function SourceMark({ source }: { source: string }) {
  if (source !== 'schedule') return <Monogram name={source} />;
  return (
    <span
      aria-hidden
      className="inline-grid size-[18px] flex-none place-items-center rounded-sm border border-line-2 bg-page text-fg-2"
    >
      <Clock size={11} strokeWidth={2} />
    </span>
  );
}
