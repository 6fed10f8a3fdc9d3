import { ChevronRight, Link2 } from 'lucide-react';
import { memo, type ReactElement, useMemo } from 'react';
import { readJsonLine, shownLevel } from '../../../../contract/log-level.ts';
import type { LogLevel } from '../../../../contract/states.ts';
import { cutPieces } from '../../../components/deliveries/terminal-text.ts';
import { LEVEL_CLASS, LINE_CLASS } from '../../../components/runs/log-styles.ts';
import { piecesOf } from '../../../components/runs/log-text.ts';
import { formatAbsolute, type TimeZone } from '../../../lib/format.ts';
import { path } from '../../../lib/path.ts';
import { CodePieces } from '../../../ui/code/CodePieces.tsx';
import { codeLines, type Range } from '../../../ui/code/code-tokens.ts';
import { JsonTree } from '../../../ui/code/JsonTree.tsx';
import { cx } from '../../../ui/cx.ts';
import { Time } from '../../../ui/Time.tsx';
import type { LogLine } from './log-buffer.ts';

export interface LogRowProps {
  readonly line: LogLine;
  readonly functionId: string;
  readonly wrap: boolean;
  readonly relative: boolean;
  readonly zone: TimeZone;
  /** The current day in the time zone: timestamps of other days include the date. */
  readonly today: string;
  /** Whether the URL names this line. */
  readonly current: boolean;
  /** The URL with this line. */
  readonly link: string;
  readonly open: boolean;
  readonly onToggle: (key: string) => void;
}

/** One line: time, level, run and text. JSON expands inline; the run and stack frames are links. */
export const LogRow = memo(function LogRow({
  line,
  functionId,
  wrap,
  relative,
  current,
  link,
  zone,
  today,
  open,
  onToggle,
}: LogRowProps) {
  const { message, timestamp, run_id, seq, marks = NO_MARKS, matches } = line;
  const json = useMemo(() => readJsonLine(message), [message]);
  const level = shownLevel(line.level, json);
  const textLook = wrap ? 'wrap-anywhere whitespace-pre-wrap' : 'whitespace-pre';
  // on a phone the text has its own line, as there is little room beside the metadata
  const place = wrap ? 'min-w-0 flex-1 max-sm:flex-none max-sm:basis-full' : 'min-w-0 flex-1';
  const name = `line ${seq + 1} of run ${run_id.slice(-8)}`;
  return (
    <div
      className={cx(
        'group/line flex min-h-6 gap-x-2 pr-3 pl-1',
        wrap && 'max-sm:flex-wrap',
        LINE_CLASS[level],
        current && 'bg-accent-soft',
        matches === true && 'border-l-2 border-mark-fg',
        matches === false && 'border-l-2 border-transparent',
      )}
      aria-current={current || undefined}
    >
      <a
        href={link}
        data-here
        title="Link to this line"
        className="flex h-6 flex-none items-center gap-1 self-start rounded-sm leading-6! text-fg-3 hover:text-fg"
      >
        {LINK_MARK}
        {relative ? (
          <Time at={new Date(timestamp).toISOString()} className="data w-20 truncate leading-6!" />
        ) : (
          clockTime(timestamp, zone, today)
        )}
      </a>
      {LEVEL_WORD[level]}
      <a
        href={path.run(functionId, run_id)}
        className="link data flex-none leading-6!"
        title={`Run ${run_id}, version ${line.version}`}
      >
        {RUN_WORD}
        {run_id.slice(-8)}
      </a>
      {json ? (
        <div className={place}>
          <button
            type="button"
            aria-expanded={open}
            onClick={() => onToggle(line.key)}
            className="flex min-h-6 max-w-full items-start gap-1 rounded-sm text-left hover:bg-hover"
          >
            <ChevronRight size={12} className={cx('mt-1.5 flex-none text-fg-3', open && 'rotate-90')} aria-hidden />
            <code className={cx('leading-6', textLook)}>
              <CodePieces pieces={codeLines(message, 'json').flatMap(({ pieces }) => pieces)} marks={marks} />
            </code>
          </button>
          {open ? (
            <div className="my-1 max-w-3xl">
              <JsonTree text={message} label={`JSON of ${name}`} depth={3} />
            </div>
          ) : null}
        </div>
      ) : (
        <code className={cx('pl-4 leading-6', place, textLook)}>
          <LogText line={line} functionId={functionId} marks={marks} />
        </code>
      )}
    </div>
  );
});

const NO_MARKS: readonly Range[] = [];

// shared elements: constant parts of a row are neither created nor compared for each line
const LINK_MARK = (
  <Link2 size={12} className="opacity-0 group-hover/line:opacity-100 group-focus-within/line:opacity-100" aria-hidden />
);
const RUN_WORD = <span className="sr-only">Run </span>;
const LEVEL_WORD: Record<LogLevel, ReactElement> = {
  debug: <LevelWord level="debug" />,
  info: <LevelWord level="info" />,
  warn: <LevelWord level="warn" />,
  error: <LevelWord level="error" />,
};

function LevelWord({ level }: { level: LogLevel }) {
  return <span className={cx('data w-10 flex-none leading-6! uppercase', LEVEL_CLASS[level])}>{level}</span>;
}

/** Formats like Time, without a component per row. */
function clockTime(timestamp: number, zone: TimeZone, today: string) {
  const date = new Date(timestamp);
  const full = formatAbsolute(date, zone, true);
  return (
    <time dateTime={date.toISOString()} title={full} className="data leading-6! whitespace-nowrap">
      {full.slice(full.startsWith(today) ? 11 : 5, 23)}
    </time>
  );
}

/** Text with pattern matches marked, and code locations as links to the version that ran. */
function LogText({ line, functionId, marks }: { line: LogLine; functionId: string; marks: readonly Range[] }) {
  const { message, pieces } = line;
  let at = 0;
  if (marks.length === 0 && !pieces && !message.includes(':')) return message;
  return piecesOf(message).map(({ text, place }) => {
    const from = at;
    at += text.length;
    const here = marks.map(([start, end]): Range => [start - from, end - from]);
    const inked = pieces ? cutPieces(pieces, from, at) : [{ text, ink: undefined }];
    const marked = <CodePieces key={from} pieces={inked} marks={here} />;
    return place ? (
      <a
        key={from}
        className="link underline underline-offset-2"
        href={path.functionLine(functionId, { version: line.version, ...place })}
      >
        {marked}
      </a>
    ) : (
      marked
    );
  });
}
