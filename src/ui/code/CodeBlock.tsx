import { useMemo, useState } from 'react';
import { formatCount } from '../../lib/format.ts';
import { CopyButton } from '../controls/CopyButton.tsx';
import { cx } from '../cx.ts';
import { scrollRegion } from '../scroll-region.ts';
import { CodePieces } from './CodePieces.tsx';
import { type CodeLanguage, codeLines, type Piece, type Range } from './code-tokens.ts';

const MOST_LINES = 1_500;
const NO_MARKS: readonly Range[] = [];

export interface CodeBlockProps {
  code: string;
  language?: CodeLanguage | undefined;
  /** The accessible name of the scroll region: "Response body". */
  label: string;
  lineNumbers?: boolean | undefined;
  /** The number of the first line, for an excerpt of a file. */
  firstLine?: number | undefined;
  /** Wraps long lines instead of scrolling sideways. Always on on a phone. */
  wrap?: boolean | undefined;
  /** The marked matches, by line number. */
  marks?: ReadonlyMap<number, readonly Range[]> | undefined;
  /** Without border and background, for use inside a container that has them. */
  bare?: boolean | undefined;
  /** A copy button in the corner. */
  copy?: boolean | undefined;
  className?: string | undefined;
}

/** Read-only code or data with syntax colours, line numbers and marks. */
export function CodeBlock({
  code,
  language = 'text',
  label,
  lineNumbers = false,
  firstLine = 1,
  wrap = false,
  marks,
  bare = false,
  copy = false,
  className,
}: CodeBlockProps) {
  const [all, setAll] = useState(false);
  const lines = useMemo(() => codeLines(code, language), [code, language]);
  const shown = all ? lines : lines.slice(0, MOST_LINES);
  return (
    <div
      className={cx(
        'group/code relative min-w-0',
        !bare && 'overflow-hidden rounded border border-line bg-sunken',
        className,
      )}
    >
      <pre
        {...scrollRegion(label)}
        className="max-h-[inherit] overflow-auto py-1.5 text-12/5 tracking-[-0.01em] [font-variant-ligatures:none] focus-visible:-outline-offset-2"
      >
        <code className={wrap ? 'grid' : 'grid w-max min-w-full max-sm:w-auto'}>
          {shown.map(({ index, pieces }) => (
            <Line
              key={index}
              pieces={pieces}
              number={firstLine + index}
              numbered={lineNumbers}
              wrap={wrap}
              marks={marks?.get(firstLine + index)}
            />
          ))}
        </code>
      </pre>
      {shown.length < lines.length ? (
        <button
          type="button"
          className="block h-7 w-full border-t border-line text-12 text-accent hover:bg-hover"
          onClick={() => setAll(true)}
        >
          Show all {formatCount(lines.length)} lines
        </button>
      ) : null}
      {copy ? (
        <span className="absolute top-1 right-1 rounded-[5px] bg-sunken opacity-0 transition-opacity duration-fast group-focus-within/code:opacity-100 group-hover/code:opacity-100 pointer-coarse:opacity-100">
          <CopyButton text={code} label={`Copy ${label.toLowerCase()}`} />
        </span>
      ) : null}
    </div>
  );
}

interface LineProps {
  pieces: readonly Piece[];
  number: number;
  numbered: boolean;
  wrap: boolean;
  marks: readonly Range[] | undefined;
}

function Line({ pieces, number, numbered, wrap, marks = NO_MARKS }: LineProps) {
  return (
    <span
      // the stylesheet renders the line number, so that it is not copied with the code
      data-line={number}
      className={cx(
        'min-h-5 pr-3',
        wrap ? 'whitespace-pre-wrap wrap-anywhere' : 'max-sm:wrap-anywhere whitespace-pre max-sm:whitespace-pre-wrap',
        numbered
          ? 'ui-numbered relative pl-14 before:absolute before:left-0 before:w-11 before:pr-3 before:text-right before:text-11/5 before:text-fg-3 before:content-[attr(data-line)] before:select-none'
          : 'pl-3',
        marks.length > 0 && 'bg-hover before:text-fg!',
      )}
    >
      <CodePieces pieces={pieces} marks={marks} />
      {'\n'}
    </span>
  );
}
