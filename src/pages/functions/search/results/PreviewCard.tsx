import { useQuery } from '@tanstack/react-query';
import { toApiError } from '../../../../api/api-error.ts';
import type { Marker } from '../../../../lib/search-marks.ts';
import { CodePieces } from '../../../../ui/code/CodePieces.tsx';
import { codeLines, languageOf } from '../../../../ui/code/code-tokens.ts';
import { cx } from '../../../../ui/cx.ts';
import { HoverCard } from '../../../../ui/overlays/HoverCard.tsx';
import { SkeletonLines } from '../../../../ui/Skeleton.tsx';
import { filesQuery } from '../../function-queries.ts';
import { cutAround, seen } from '../../versions/long-lines.ts';
import type { HitPreview, Place } from './hit-preview.ts';

/** Lines before and after the hit. */
const AROUND = 12;

/** The card with more lines around a hit, if one is opened. */
export function PreviewCard({ preview, marker }: { preview: HitPreview; marker: Marker }) {
  const { opened, anchor, close, onPoint } = preview;
  if (!opened) return null;
  return (
    <HoverCard
      label={`Preview of ${opened.file}, line ${opened.line}`}
      anchor={anchor}
      focused={opened.focused}
      onClose={close}
      onPoint={onPoint}
    >
      <PreviewLines key={opened.href} place={opened} marker={marker} />
    </HoverCard>
  );
}

function PreviewLines({ place, marker }: { place: Place; marker: Marker }) {
  const { function_id, version, file, line } = place;
  const { data, error } = useQuery({ ...filesQuery(function_id, version), staleTime: 'static', retry: false });
  if (error) return <p className="px-3 py-2 text-fg-2">The file could not be loaded. {toApiError(error).message}</p>;
  const text = data?.files[file];
  if (!data) return <SkeletonLines lines={8} label="Loading the file" />;
  if (text === undefined) return <p className="px-3 py-2 text-fg-2">This version has no such file.</p>;
  const all = text.replace(/\n$/, '').split('\n');
  const from = Math.max(0, line - 1 - AROUND);
  const lines = all.slice(from, line + AROUND).map((each) => {
    const shown = seen(each.replace(/\r$/, ''));
    return cutAround(shown, marker(shown));
  });
  const coloured = codeLines(lines.map((each) => each.text).join('\n'), languageOf(file));
  return (
    <>
      <p className="data sticky left-0 border-b border-line px-3 py-1.5 wrap-anywhere text-fg-2">
        {file}
        <span className="text-fg-3">
          {' '}
          lines {from + 1} to {from + lines.length} of {all.length}
        </span>
      </p>
      <div className="w-max min-w-full py-1.5 text-12/5 tracking-[-0.01em] [font-variant-ligatures:none]">
        {coloured.map(({ index, pieces }) => (
          <div key={index} className={cx('flex min-h-5', from + index + 1 === line && 'bg-hover')}>
            <span className="inline-block w-11 flex-none pr-3 text-right text-11/5 text-fg-3 select-none">
              {from + index + 1}
            </span>
            <code className="pr-3 whitespace-pre">
              <CodePieces pieces={pieces} marks={lines[index]?.marks ?? []} />
            </code>
          </div>
        ))}
      </div>
    </>
  );
}
