import { middleCut } from '../lib/format.ts';
import { CopyButton } from '../ui/controls/CopyButton.tsx';

/** An id: truncated in lists, whole and with a copy button in headers. */
export function IdText({ id, whole = false, noun = 'id' }: { id: string; whole?: boolean; noun?: string }) {
  if (!whole) {
    return (
      <span className="data" title={id}>
        {middleCut(id)}
      </span>
    );
  }
  return (
    <span className="inline-flex max-w-full min-w-0 items-center gap-1">
      <span className="data min-w-0 truncate" title={id}>
        {id}
      </span>
      <CopyButton text={id} label={`Copy ${noun}`} />
    </span>
  );
}
