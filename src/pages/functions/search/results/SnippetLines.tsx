import { FoldHorizontal, TextSearch, UnfoldHorizontal } from 'lucide-react';
import { type ComponentProps, memo, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { queryClient } from '../../../../api/query-client.ts';
import { useMedia } from '../../../../hooks/use-media.ts';
import { path } from '../../../../lib/path.ts';
import { type Marker, noMarks } from '../../../../lib/search-marks.ts';
import { CodePieces } from '../../../../ui/code/CodePieces.tsx';
import { codeLines, languageOf } from '../../../../ui/code/code-tokens.ts';
import { cx } from '../../../../ui/cx.ts';
import { toast } from '../../../../ui/overlays/toast.ts';
import type { Snippet } from '../../code/snippets.ts';
import { filesQuery } from '../../function-queries.ts';
import { cutAround, isExcerpt, seen } from '../../versions/long-lines.ts';
import type { OpenedSearch } from '../search-state.ts';
import { marksOfSeveral } from './several-lines.ts';

interface SnippetLinesProps {
  snippet: Snippet;
  function_id: string;
  marker: Marker;
  /** The search, which the opened file repeats. */
  search: OpenedSearch;
  /** Highlights and marks the code; far from the viewport it stays plain text. */
  drawn: boolean;
  first: boolean;
  /** Its file differs from that of the snippet above. */
  named: boolean;
}

/** Adjacent lines of a file; lines with a hit link to the file. */
export const SnippetLines = memo(function SnippetLines(props: SnippetLinesProps) {
  const { snippet, function_id, marker, search, drawn, first, named } = props;
  const { path: file, firstLine, lines, hitLines } = snippet;
  const [whole, setWhole] = useState<ReadonlyMap<number, string>>(new Map());
  const several = useMemo(() => marksOfSeveral(snippet, marker), [snippet, marker]);
  const shown = useMemo(
    () =>
      lines.map((sent, index) => {
        const line = firstLine + index;
        const text = (whole.get(line) ?? sent).replace(/\r$/, '');
        const marks = whole.has(line) || !several[index] ? (hitLines.has(line) ? marker(text) : []) : several[index];
        return whole.has(line) ? { text: seen(text), marks, cut: true } : cutAround(seen(text), marks);
      }),
    [lines, firstLine, hitLines, marker, whole, several],
  );
  // memoized by text: another query with the same lines does not highlight them again
  const code = shown.map(({ text }) => text).join('\n');
  const isLong = shown.some(({ text }) => text.length > COLOURED_CHARS);
  const coloured = useMemo(
    () => codeLines(code, drawn && !isLong ? languageOf(file) : 'text'),
    [code, drawn, isLong, file],
  );
  const firstHit = Math.min(...hitLines.keys());

  // a hover does not exist there
  const isTouch = useMedia('(pointer: coarse)');
  const box = useRef<HTMLDivElement>(null);
  const turn = async (line: number, index: number) => {
    if (whole.has(line)) {
      setWhole((now) => new Map([...now].filter(([each]) => each !== line)));
      return;
    }
    const sent = lines[index] ?? '';
    const text = isExcerpt(sent) ? await wholeLine(function_id, snippet.version, file, line) : sent;
    if (text === undefined) return;
    flushSync(() => setWhole((now) => new Map(now).set(line, text)));
    // in a very long line the match may be far away
    box.current?.querySelector(`[data-line="${line}"] mark`)?.scrollIntoView({ block: 'center' });
  };
  return (
    <div ref={box} className="border-t border-line">
      {named ? (
        <h3 className="data border-b border-line px-3 py-1.5 font-normal wrap-anywhere text-fg-2">{file}</h3>
      ) : null}
      <div className="overflow-x-auto bg-sunken py-1.5">
        <div className="w-max min-w-full text-12/5 tracking-[-0.01em] [font-variant-ligatures:none] max-sm:w-auto">
          {coloured.map(({ index, pieces }) => {
            const line = firstLine + index;
            const { marks, cut } = shown[index] ?? { marks: [], cut: false };
            const versions = hitLines.get(line);
            const isWhole = whole.has(line);
            // a regex match can be longer than the part of the line that is sent
            const isBeyond =
              versions && !isWhole && marks.length === 0 && marker !== noMarks && isExcerpt(lines[index] ?? '');
            const Fold = isWhole ? FoldHorizontal : UnfoldHorizontal;
            const content = <LineText line={line} pieces={pieces} marks={marks} isWhole={isWhole} isCut={cut} />;
            const row = versions ? (
              <a
                data-hit={first && line === firstHit ? 'first' : 'hit'}
                href={path.functionLine(function_id, { version: snippet.version, file, line, ...search })}
                title={`Open ${file} at line ${line}`}
                className={cx(
                  'flex min-h-6 flex-1 text-fg no-underline max-sm:items-start max-sm:py-0.5 focus-visible:-outline-offset-2',
                  isWhole ? 'items-start' : 'items-center',
                )}
              >
                {content}
                {isBeyond ? (
                  <span className="sticky right-2 ml-auto flex-none rounded-sm bg-raised px-1.5 text-11 text-fg-2 max-sm:max-w-18">
                    match continues beyond this part
                  </span>
                ) : null}
                {versions.endLine !== undefined && versions.endLine >= firstLine + lines.length ? (
                  <span className="sticky right-2 ml-auto flex-none rounded-sm bg-raised px-1.5 text-11 text-fg-2">
                    match continues to line {versions.endLine}
                  </span>
                ) : null}
                {versions.words ? (
                  <span className="sticky right-2 ml-auto flex-none rounded-sm bg-raised px-1.5 text-11 text-fg-2">
                    {versions.words}
                  </span>
                ) : null}
              </a>
            ) : (
              <div className="flex min-h-5 flex-1">{content}</div>
            );
            return (
              <div
                key={line}
                data-line={line}
                className={cx('flex', versions ? 'bg-hover hover:bg-press' : several[index] && 'bg-hover')}
              >
                {row}
                {versions && isTouch ? (
                  <button
                    type="button"
                    data-preview
                    aria-label={`Preview ${file} around line ${line}`}
                    className="sticky right-1 grid h-6 w-6 flex-none place-items-center rounded-sm bg-raised text-accent"
                  >
                    <TextSearch size={14} aria-hidden />
                  </button>
                ) : null}
                {cut ? (
                  <button
                    type="button"
                    aria-label={`Show all of line ${line} of ${file}`}
                    aria-pressed={isWhole}
                    title={isWhole ? 'Show the part with the hit' : 'Show the whole line'}
                    onClick={() => void turn(line, index)}
                    className="sticky right-1 grid h-6 w-6 flex-none place-items-center rounded-sm bg-raised text-accent hover:bg-hover"
                  >
                    <Fold size={14} aria-hidden />
                  </button>
                ) : null}
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
});

type LineTextProps = Required<ComponentProps<typeof CodePieces>> & { line: number; isWhole: boolean; isCut: boolean };

function LineText({ line, isWhole, isCut, pieces, marks }: LineTextProps) {
  return (
    <>
      <span className="inline-block w-11 flex-none pr-3 text-right text-11/5 text-fg-3 select-none">{line}</span>
      <code
        className={cx(
          'pr-3 max-sm:whitespace-pre-wrap max-sm:wrap-anywhere',
          isCut && !isWhole && 'max-sm:line-clamp-6',
          isWhole ? 'w-[min(1000px,70vw)] whitespace-pre-wrap wrap-anywhere' : 'whitespace-pre',
        )}
      >
        <CodePieces pieces={pieces} marks={marks} />
      </code>
    </>
  );
}

const WHOLE_MAX_CHARS = 200_000;
/** Highlighting a longer line could take seconds, as the time is quadratic in its length. */
const COLOURED_CHARS = 2_000;

/** The whole line; the search response contains only a part of very long ones. */
async function wholeLine(function_id: string, version: number, file: string, line: number) {
  try {
    const { files } = await queryClient.query({ ...filesQuery(function_id, version), staleTime: 'static' });
    const text = files[file]?.split('\n')[line - 1];
    if (text === undefined || text.length <= WHOLE_MAX_CHARS) return text;
    toast({ title: 'The first 200,000 characters of the line are shown', description: 'Open the file for all of it.' });
    return `${text.slice(0, WHOLE_MAX_CHARS)}…`;
  } catch {
    toast({ title: 'The line could not be loaded', tone: 'bad' });
    return undefined;
  }
}
