import { ChevronDown, ChevronUp, X } from 'lucide-react';
import { useHotkey } from '../../../../hooks/use-hotkey.ts';
import { formatCount, plural } from '../../../../lib/format.ts';
import { IconButton } from '../../../../ui/controls/IconButton.tsx';
import { KeyHint } from '../../../../ui/KeyCap.tsx';
import type { FileHits } from './file-hits.ts';

interface HitBarProps {
  hits: FileHits;
  file: string;
  line: number | undefined;
  onStep: (by: 1 | -1) => void;
  onClose: () => void;
}

/** The query of the search that led here, and its hits in the opened version. n and N move among them. */
export function HitBar({ hits, file, line, onStep, onClose }: HitBarProps) {
  const { query, count, failure } = hits;
  const at = hits.hits.findIndex((hit) => hit.file === file && hit.line === line);
  const none = hits.hits.length === 0 ? 'There are no hits in this version.' : undefined;
  useHotkey('n', ({ shiftKey }) => onStep(shiftKey ? -1 : 1), { enabled: !none });
  return (
    <section
      aria-label="Search hits"
      className="flex min-h-9 flex-none items-center gap-2 border-b border-line px-3 py-1 text-12 text-fg-2"
    >
      <code className="min-w-0 truncate" title={query}>
        {query}
      </code>
      <span role="status" className="flex-none text-fg-3 tabular-nums">
        {failure ?? (at < 0 ? plural(count, 'hit') : `${formatCount(at + 1)} of ${formatCount(count)}`)}
      </span>
      <span className="ml-auto flex flex-none items-center gap-1">
        <span className="max-sm:hidden">
          <KeyHint keys={['n', 'N']}>next and previous</KeyHint>
        </span>
        <IconButton size="sm" icon={ChevronUp} label="Previous hit" reason={none} onClick={() => onStep(-1)} />
        <IconButton size="sm" icon={ChevronDown} label="Next hit" reason={none} onClick={() => onStep(1)} />
        <IconButton size="sm" icon={X} label="Hide hits" onClick={onClose} />
      </span>
    </section>
  );
}
