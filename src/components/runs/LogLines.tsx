import { ChevronRight } from 'lucide-react';
import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import { readJsonLine, shownLevel } from '../../../contract/log-level.ts';
import type { LogEvent } from '../../api/entities.ts';
import { CodePieces } from '../../ui/code/CodePieces.tsx';
import { codeLines } from '../../ui/code/code-tokens.ts';
import { JsonTree } from '../../ui/code/JsonTree.tsx';
import { cx } from '../../ui/cx.ts';
import { scrollRegion } from '../../ui/scroll-region.ts';
import { Time } from '../../ui/Time.tsx';
import { readTerminal } from '../deliveries/terminal-text.ts';
import { type CodeOf, PlaceText } from '../PlaceText.tsx';
import { LEVEL_CLASS, LINE_CLASS } from './log-styles.ts';

interface LogLinesProps extends CodeOf {
  events: readonly LogEvent[];
  /** Long lines wrap instead of scrolling sideways. */
  wrap: boolean;
  /** The number of the first line; 1 unless earlier lines are omitted. */
  first?: number | undefined;
  /** Lines are still arriving: a list at its end stays at the end. */
  follow?: boolean | undefined;
  /** Loads more lines; called near the end. */
  onEndNear?: (() => void) | undefined;
  className?: string;
}

/** Less than a line from the end counts as at the end. */
const END_PX = 20;
/** More lines are loaded within this distance from the end. */
const AHEAD_PX = 800;

/** The log lines of a run: number, time, level, text. JSON expands in place; stack frames are links. */
export function LogLines({ events, wrap, first = 1, follow = false, onEndNear, className, ...code }: LogLinesProps) {
  const box = useRef<HTMLDivElement>(null);
  const atEnd = useRef(true);
  const count = first + events.length;
  // also once after following ends, to show the last lines of the run
  const followed = useRef(follow);
  useLayoutEffect(() => {
    if (count > 0 && (follow || followed.current) && atEnd.current) box.current?.scrollTo(0, box.current.scrollHeight);
    followed.current = follow;
  }, [count, follow]);
  if (events.length === 0) return <p className="px-3 py-2 text-12 text-fg-3">No log lines.</p>;
  return (
    <div
      ref={box}
      onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
        const belowPx = scrollHeight - scrollTop - clientHeight;
        atEnd.current = belowPx <= END_PX;
        if (belowPx <= AHEAD_PX) onEndNear?.();
      }}
      {...scrollRegion('Log lines')}
      className={cx(
        'overflow-auto bg-sunken py-1.5 focus-visible:-outline-offset-2',
        className ?? 'max-h-96 rounded border border-line',
      )}
    >
      <ol className={cx('text-12/5', wrap ? '' : 'sm:w-max sm:min-w-full')}>
        {events.map((event, index) => (
          // lines are never reordered
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          <LogLine key={first + index} number={first + index} event={event} wrap={wrap} {...code} />
        ))}
      </ol>
    </div>
  );
}

/** On a phone the text has its own row, because there is little room beside the other columns. */
const TEXT_PLACE = 'min-w-0 flex-1 max-sm:flex-none max-sm:basis-full';

function LogLine({ number, event, wrap, ...code }: CodeOf & { number: number; event: LogEvent; wrap: boolean }) {
  const [open, setOpen] = useState(false);
  const { timestamp } = event;
  const { text: message, pieces } = useMemo(() => readTerminal(event.message), [event.message]);
  const json = useMemo(() => readJsonLine(message), [message]);
  const level = shownLevel(event.level, json);
  return (
    <li
      className={cx(
        'flex gap-x-2 pr-3 [content-visibility:auto] [contain-intrinsic-size:auto_20px] max-sm:flex-wrap',
        LINE_CLASS[level],
      )}
    >
      <span className="data w-9 flex-none text-right leading-5! text-fg-3 select-none max-sm:w-7">{number}</span>
      <Time at={new Date(timestamp).toISOString()} as="clock" precise className="leading-5! text-fg-3 select-none" />
      <span className={cx('data w-10 flex-none leading-5! uppercase', LEVEL_CLASS[level])}>{level}</span>
      {json ? (
        <div className={TEXT_PLACE}>
          <button
            type="button"
            aria-expanded={open}
            onClick={() => setOpen(!open)}
            className="flex max-w-full items-start gap-1 rounded-sm text-left hover:bg-hover"
          >
            <ChevronRight size={12} className={cx('mt-1 flex-none text-fg-3', open && 'rotate-90')} aria-hidden />
            <code
              className={cx(
                'leading-5',
                wrap
                  ? 'wrap-anywhere whitespace-pre-wrap'
                  : 'whitespace-pre max-sm:wrap-anywhere max-sm:whitespace-pre-wrap',
              )}
            >
              <CodePieces pieces={codeLines(message, 'json').flatMap(({ pieces }) => pieces)} />
            </code>
          </button>
          {open ? (
            <div className="my-1">
              <JsonTree text={message} label={`Line ${number}`} depth={3} />
            </div>
          ) : null}
        </div>
      ) : (
        <code
          className={cx(
            TEXT_PLACE,
            'pl-4 leading-5',
            wrap
              ? 'wrap-anywhere whitespace-pre-wrap'
              : 'whitespace-pre max-sm:wrap-anywhere max-sm:whitespace-pre-wrap',
          )}
        >
          <PlaceText text={message} inked={pieces} {...code} />
        </code>
      )}
    </li>
  );
}
