import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { scrollRegion } from '../../../ui/scroll-region.ts';
import { LogRow } from './LogRow.tsx';
import type { LogLine } from './log-buffer.ts';

const ROW = 24;
/** So near the end counts as at the end. */
const END = 30;

export interface LogListProps {
  readonly lines: readonly LogLine[];
  readonly functionId: string;
  readonly wrap: boolean;
  readonly relative: boolean;
  readonly follows: boolean;
  /** Whoever scrolls away from the end reads: following stops, and begins again at the end. */
  readonly onFollow: (follows: boolean) => void;
  /** The line that the address names. */
  readonly current: string | undefined;
  readonly linkOf: (line: LogLine) => string;
  readonly before?: ReactNode;
  readonly after?: ReactNode;
}

/** Lines of a log, a hundred thousand of them if need be. At the end it follows; elsewhere it stays where it is. */
export function LogList(props: LogListProps) {
  const { lines, functionId, wrap, relative, follows, onFollow, current, linkOf } = props;
  const box = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW,
    overscan: 20,
    getItemKey: (index) => lines[index]?.key ?? index,
  });

  // what is read stays under the eyes when lines come in above it
  const anchor = useRef<{ key: string; index: number }>(undefined);
  useLayoutEffect(() => {
    const was = anchor.current;
    if (!was || follows || lines[was.index]?.key === was.key) return;
    const index = lines.findIndex(({ key }) => key === was.key);
    if (index > was.index && box.current) box.current.scrollTop += (index - was.index) * ROW;
  }, [lines, follows]);

  useLayoutEffect(() => {
    if (follows && lines.length > 0) virtual.scrollToIndex(lines.length - 1, { align: 'end' });
  }, [follows, lines, virtual]);

  const sought = useRef<string>(undefined);
  useEffect(() => {
    if (current === undefined || sought.current === current) return;
    const index = lines.findIndex(({ key }) => key === current);
    if (index < 0) return;
    sought.current = current;
    const drawn = virtual.getVirtualItems().some((item) => item.index === index);
    if (!drawn) virtual.scrollToIndex(index, { align: 'center' });
  }, [current, lines, virtual]);

  // only what the person does ends the following; the list scrolls by itself, too
  const meant = useRef(0);
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
  useEffect(() => {
    const gone = new AbortController();
    const mean = () => {
      meant.current = performance.now();
    };
    for (const name of ['wheel', 'touchmove', 'pointerdown', 'pointerup', 'keydown'])
      box.current?.addEventListener(name, mean, { signal: gone.signal, passive: true });
    return () => gone.abort();
  }, []);
  const onToggle = useCallback((key: string) => {
    setOpen((was) => {
      const next = new Set(was);
      if (!next.delete(key)) next.add(key);
      return next;
    });
  }, []);

  return (
    <div
      ref={box}
      {...scrollRegion('Log lines')}
      onScroll={onScroll}
      className="min-h-0 flex-1 overflow-auto border-t border-line bg-sunken py-1 text-12/5 [overflow-anchor:none] focus-visible:-outline-offset-2"
    >
      {props.before}
      <div className="relative" style={{ height: virtual.getTotalSize() }}>
        <ol className="w-max min-w-full data-wrap:w-full" data-wrap={wrap || undefined}>
          {virtual.getVirtualItems().map((item) => {
            const line = lines[item.index];
            return line ? (
              <li
                key={item.key}
                ref={virtual.measureElement}
                data-index={item.index}
                aria-setsize={-1}
                aria-posinset={item.index + 1}
                className={wrap ? 'absolute top-0 left-0 w-full' : 'absolute top-0 left-0 w-max min-w-full'}
                style={{ transform: `translateY(${item.start}px)` }}
              >
                <LogRow
                  line={line}
                  functionId={functionId}
                  wrap={wrap}
                  relative={relative}
                  current={line.key === current}
                  link={linkOf(line)}
                  open={open.has(line.key)}
                  onToggle={onToggle}
                />
              </li>
            ) : null;
          })}
        </ol>
      </div>
      {props.after}
    </div>
  );
}
