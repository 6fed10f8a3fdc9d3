import { Braces, ChevronDown } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { SearchReply } from '../../api/entities.ts';
import { Link } from '../../components/Link.tsx';
import { formatCount, plural } from '../../lib/format.ts';
import { path } from '../../lib/path.ts';
import { CodePieces } from '../../ui/CodePieces.tsx';
import { codeLines, languageOf } from '../../ui/code-tokens.ts';
import { cx } from '../../ui/cx.ts';
import { FunctionTags } from './FunctionTags.tsx';
import type { Marker } from './search-marks.ts';
import { filesIn, type Snippet, snippetsOf } from './snippets.ts';

type Found = SearchReply['functions'][number];

/** Snippets shown before "more" is pressed. */
const FIRST = 3;

/** One function of the results: its facts, then the places, by file. */
export function FunctionHits({ found, marker }: { found: Found; marker: Marker }) {
  const [all, setAll] = useState(false);
  const snippets = useMemo(() => snippetsOf(found.hits), [found.hits]);
  const shown = all ? snippets : snippets.slice(0, FIRST);
  const hidden = snippets.slice(shown.length).reduce((sum, { hitLines }) => sum + hitLines.size, 0);
  const notSent = found.hit_count - found.hits.length;
  const inCode = found.hits.length > 0;
  return (
    <li className="min-w-0 overflow-hidden rounded-lg border border-line-2 focus-within:border-accent-line">
      <div className="flex min-h-10 flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2">
        <Braces size={14} strokeWidth={1.75} className="flex-none text-fg-3" aria-hidden />
        <h2 className="min-w-0 truncate text-13 font-medium tracking-normal">
          <Link className="link" data-hit={inCode ? undefined : 'first'} to={path.function(found.function_id)}>
            {found.name}
          </Link>
        </h2>
        <FunctionTags fn={found} />
        {inCode ? (
          <span className="ml-auto text-12 text-fg-3">
            <strong className="font-medium text-fg">{formatCount(found.hit_count)}</strong>{' '}
            {found.hit_count === 1 ? 'hit' : 'hits'} in {plural(filesIn(found.hits), 'file')}
          </span>
        ) : null}
      </div>
      {found.description && !inCode ? (
        <p className="border-t border-line px-3 py-2 text-fg-2 wrap-anywhere">{found.description}</p>
      ) : null}
      {shown.map((snippet, index) => (
        <SnippetLines
          key={`${snippet.path}:${snippet.firstLine}`}
          snippet={snippet}
          found={found}
          marker={marker}
          first={index === 0}
          named={snippet.path !== shown[index - 1]?.path}
        />
      ))}
      {hidden > 0 ? (
        <button
          type="button"
          aria-label={`${plural(hidden, 'more hit')} in ${found.name}`}
          onClick={() => setAll(true)}
          className="flex h-8 w-full items-center gap-1.5 border-t border-line px-3 text-12 font-medium text-accent hover:bg-hover focus-visible:-outline-offset-2"
        >
          <ChevronDown size={14} aria-hidden />
          {formatCount(hidden)} more in this function
        </button>
      ) : notSent > 0 ? (
        <p className="border-t border-line px-3 py-1.5 text-12 text-fg-3">
          The first {formatCount(found.hits.length)} of {formatCount(found.hit_count)} hits are shown.
        </p>
      ) : null}
    </li>
  );
}

interface SnippetLinesProps {
  snippet: Snippet;
  found: Found;
  marker: Marker;
  first: boolean;
  /** Its file is another one than that of the snippet above. */
  named: boolean;
}

function SnippetLines({ snippet, found, marker, first, named }: SnippetLinesProps) {
  const { path: file, firstLine, lines, hitLines } = snippet;
  const coloured = useMemo(() => codeLines(lines.join('\n'), languageOf(file)), [lines, file]);
  let hitsBefore = 0;
  return (
    <div className="border-t border-line">
      {named ? <h3 className="data border-b border-line px-3 py-1.5 font-normal text-fg-2">{file}</h3> : null}
      <div className="overflow-x-auto bg-sunken py-1.5">
        <div className="w-max min-w-full text-12/5 tracking-[-0.01em] [font-variant-ligatures:none] max-sm:w-auto">
          {coloured.map(({ index, pieces }) => {
            const line = firstLine + index;
            const content = (
              <>
                <span className="inline-block w-11 flex-none pr-3 text-right text-11/5 text-fg-3 select-none">
                  {line}
                </span>
                <code className="pr-3 whitespace-pre max-sm:whitespace-pre-wrap max-sm:wrap-anywhere">
                  <CodePieces pieces={pieces} {...(hitLines.has(line) ? { marks: marker(lines[index] ?? '') } : {})} />
                </code>
              </>
            );
            if (!hitLines.has(line)) {
              return (
                <div key={line} className="flex min-h-5">
                  {content}
                </div>
              );
            }
            hitsBefore += 1;
            return (
              <Link
                key={line}
                data-hit={first && hitsBefore === 1 ? 'first' : 'hit'}
                to={path.functionLine(found.function_id, { version: found.version, file, line })}
                title={`Open ${file} at line ${line}`}
                className={cx(
                  'flex min-h-6 items-center text-fg no-underline',
                  'bg-hover hover:bg-press focus-visible:-outline-offset-2',
                )}
              >
                {content}
              </Link>
            );
          })}
        </div>
      </div>
    </div>
  );
}
