import { observeElementOffset, useVirtualizer, type VirtualItem, type Virtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { isJsonLine } from '../../../components/runs/log-text.ts';
import { useListener } from '../../../hooks/use-listener.ts';
import { usePlainLinks } from '../../../hooks/use-plain-links.ts';
import { usePreference } from '../../../hooks/use-preference.ts';
import { formatAbsolute } from '../../../lib/format.ts';
import { timeZone } from '../../../stores/time-zone.ts';
import { scrollRegion } from '../../../ui/scroll-region.ts';
import { LogItem } from './LogItem.tsx';
import type { LogLine } from './log-buffer.ts';
import { rowSlots } from './row-slots.ts';

const ROW = 24;
const OVERSCAN = 6;
/** The assumed maximum height before the list is measured. */
const WINDOW = 1200;
/** The distance that still counts as the end. */
const END = 30;
/** User input that may scroll the list. */
const INPUTS = ['wheel', 'touchmove', 'pointerdown', 'pointerup', 'keydown'] as const;

export interface LogListProps {
  readonly lines: readonly LogLine[];
  readonly functionId: string;
  readonly wrap: boolean;
  readonly relative: boolean;
  readonly follows: boolean;
  /** Scrolling away from the end stops the live tail; scrolling to the end resumes it. */
  readonly onFollow: (follows: boolean) => void;
  /** The line that the URL names. */
  readonly current: string | undefined;
  readonly linkOf: (line: LogLine) => string;
  readonly before?: ReactNode;
  readonly after?: ReactNode;
}

/** The lines of a log, up to 100,000. The list follows new lines at the end and keeps its position elsewhere. */
export function LogList(props: LogListProps) {
  const { lines, functionId, wrap, relative, follows, onFollow, current, linkOf } = props;
  const box = useRef<HTMLDivElement>(null);
  const { open, touched, onToggle } = useExpanded();
  const following = useRef(follows);
  const getItemKey = useCallback((index: number) => lines[index]?.key ?? index, [lines]);
  const estimateSize = useCallback((index: number) => heightOf(lines[index]?.message), [lines]);
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => box.current,
    estimateSize,
    overscan: OVERSCAN,
    getItemKey,
    // at the end the rendered lines are computed: a scroll event of the list itself needs no render
    observeElementOffset: (instance, notify) =>
      observeElementOffset(instance, (offset, isScrolling) => {
        if (following.current) instance.scrollOffset = offset;
        else notify(offset, isScrolling);
      }),
  });
  const height = virtual.getTotalSize();
  const drawn = follows ? endOf(virtual) : virtual.getVirtualItems();
  const [slots] = useState(rowSlots);
  const slotsOf = slots(
    drawn.map(({ index }) => lines[index]?.key ?? ''),
    follows,
  );
  useMeasureOnWrap(virtual, wrap);
  usePlainLinks(box);
  const [zone] = usePreference(timeZone);
  const today = formatAbsolute(new Date(), zone).slice(0, 10);

  // new lines above the viewport do not move the lines in it
  const anchor = useRef<{ key: string; index: number }>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a list that grew has another end
  useLayoutEffect(() => {
    following.current = follows;
    const list = box.current;
    if (!list) return;
    if (follows) {
      list.scrollTop = list.scrollHeight;
      return;
    }
    const was = anchor.current;
    if (!was || lines[was.index]?.key === was.key) return;
    const index = lines.findIndex(({ key }) => key === was.key);
    if (index <= was.index) return;
    list.scrollTop += (index - was.index) * ROW;
    anchor.current = { key: was.key, index };
  }, [follows, lines, height]);

  useSought(current, lines, virtual);

  // only user input stops the live tail; the list also scrolls programmatically
  const meant = useRef(0);
  const mean = () => {
    meant.current = performance.now();
  };
  useListener(box, INPUTS, mean, { passive: true });
  const onScroll = () => {
    const element = box.current;
    if (!element) return;
    const first = virtual.range?.startIndex ?? 0;
    const line = lines[first];
    anchor.current = line && { key: line.key, index: first };
    const atEnd = element.scrollHeight - element.scrollTop - element.clientHeight < END;
    if (performance.now() - meant.current > 500) return;
    if (follows && !atEnd) onFollow(false);
    else if (!follows && atEnd) onFollow(true);
  };
  return (
    <div
      ref={box}
      {...scrollRegion('Log lines')}
      onScroll={onScroll}
      className="min-h-0 flex-1 overflow-auto border-t border-line bg-sunken py-1 text-12/5 [overflow-anchor:none] focus-visible:-outline-offset-2"
    >
      {props.before}
      <div className="relative" style={{ height }}>
        <ol className="w-max min-w-full data-wrap:w-full" data-wrap={wrap || undefined}>
          {drawn.map((item, at) => {
            const line = lines[item.index];
            return line ? (
              <LogItem
                // while following, elements are reused for later lines: creating new ones is most of the work
                key={slotsOf[at]}
                index={item.index}
                start={item.start}
                onResize={wrap || touched.has(line.key) ? virtual.resizeItem : undefined}
                line={line}
                functionId={functionId}
                wrap={wrap}
                relative={relative}
                zone={zone}
                today={today}
                current={line.key === current}
                link={linkOf(line)}
                open={open.has(line.key)}
                onToggle={onToggle}
              />
            ) : null;
          })}
        </ol>
      </div>
      {props.after}
    </div>
  );
}

/** The expanded lines. Heights are computed, except for lines that are wrapped or were `touched`: those are measured. */
function useExpanded() {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const [touched] = useState(() => new Set<string>());
  const onToggle = useCallback(
    (key: string) => {
      touched.add(key);
      setOpen((was) => {
        const next = new Set(was);
        if (!next.delete(key)) next.add(key);
        return next;
      });
    },
    [touched],
  );
  return { open, touched, onToggle };
}

function useMeasureOnWrap(virtual: Virtualizer<HTMLDivElement, Element>, wrap: boolean): void {
  const wrapped = useRef(wrap);
  useLayoutEffect(() => {
    if (wrapped.current !== wrap) virtual.measure();
    wrapped.current = wrap;
  }, [wrap, virtual]);
}

/** Scrolls to the line that the URL names, once for each line. */
function useSought(
  current: string | undefined,
  lines: readonly LogLine[],
  virtual: Virtualizer<HTMLDivElement, Element>,
): void {
  const sought = useRef<string>(undefined);
  useEffect(() => {
    if (current === undefined || sought.current === current) return;
    const index = lines.findIndex(({ key }) => key === current);
    if (index < 0) return;
    sought.current = current;
    const drawn = virtual.getVirtualItems().some((item) => item.index === index);
    if (!drawn) virtual.scrollToIndex(index, { align: 'center' });
  }, [current, lines, virtual]);
}

/** The items at the end of the list, slightly more than a viewport. */
function endOf({ measurementsCache: all, scrollRect }: Virtualizer<HTMLDivElement, Element>): readonly VirtualItem[] {
  const from = (all[all.length - 1]?.end ?? 0) - (scrollRect?.height ?? WINDOW) - OVERSCAN * ROW;
  const items: VirtualItem[] = [];
  for (let index = all.length - 1; index >= 0; index -= 1) {
    const item = all[index];
    if (!item || item.end < from) break;
    items.unshift(item);
  }
  return items;
}

/** The height in pixels of a line that is not wrapped. JSON is one line until it is expanded. */
function heightOf(message = ''): number {
  if (!message.includes('\n') || isJsonLine(message)) return ROW;
  return message.split('\n').length * ROW;
}
