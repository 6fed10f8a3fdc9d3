import { useCallback } from 'react';
import { LogRow, type LogRowProps } from './LogRow.tsx';

interface LogItemProps extends LogRowProps {
  readonly index: number;
  /** Its offset from the top of the list, in pixels. */
  readonly start: number;
  /** Called with the line's measured height, if it cannot be computed. */
  readonly onResize: ((index: number, height: number) => void) | undefined;
}

/** One line at its position in the list. */
export function LogItem({ index, start, onResize, ...row }: LogItemProps) {
  const { key } = row.line;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another line in the same element has another height
  const measured = useCallback(
    (item: HTMLLIElement) => {
      if (!onResize) return;
      const measure = () => onResize(index, item.offsetHeight);
      measure();
      const observer = new ResizeObserver(measure);
      observer.observe(item);
      return () => observer.disconnect();
    },
    [index, key, row.wrap, onResize],
  );
  return (
    <li
      ref={measured}
      aria-setsize={-1}
      aria-posinset={index + 1}
      className={
        row.wrap ? 'absolute top-0 left-0 w-full' : 'absolute top-0 left-0 w-max min-w-full [contain:layout_style]'
      }
      style={{ transform: `translateY(${start}px)` }}
    >
      <LogRow {...row} />
    </li>
  );
}
