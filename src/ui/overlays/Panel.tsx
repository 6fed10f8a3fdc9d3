import { X } from 'lucide-react';
import { type ReactNode, type RefObject, useEffect, useId, useLayoutEffect, useRef } from 'react';
import { useListener } from '../../hooks/use-listener.ts';
import { IconButton } from '../controls/IconButton.tsx';
import { cx } from '../cx.ts';
import { scrollRegion } from '../scroll-region.ts';
import { cover, skipUnder } from './cover.ts';

export interface PanelProps {
  /** `beside`: part of the page, for reading. `over`: above the page, for editing. On a phone both cover the page. */
  mode: 'beside' | 'over';
  title: ReactNode;
  /** Before the title, for example the tile of an app. */
  mark?: ReactNode;
  /** The status after the title. */
  status?: ReactNode;
  /** The second line: the id with its copy button, the time. */
  meta?: ReactNode;
  /** Icon buttons at the end of the first line. */
  tools?: ReactNode;
  /** The main actions, below the title. */
  actions?: ReactNode;
  /** The footer, only with unsaved changes: save, test. */
  foot?: ReactNode;
  onClose: () => void;
  children: ReactNode;
}

/** The details of a row, beside or over the list. Esc closes it and returns the focus to the row. */
export function Panel({ mode, title, mark, status, meta, tools, actions, foot, onClose, children }: PanelProps) {
  const root = useRef<HTMLElement>(null);
  const titleId = useId();

  const before = useRef<Element>(null);
  // before useCover makes the opener inert
  useLayoutEffect(() => {
    before.current = document.activeElement;
  }, []);
  useCover(root, mode);
  useEffect(() => {
    const panel = root.current;
    const opener = before.current;
    if (mode === 'over') panel?.focus({ preventScroll: true });
    return () => {
      const lost = document.activeElement === document.body || panel?.contains(document.activeElement);
      if (lost && opener instanceof HTMLElement && opener.isConnected) opener.focus({ preventScroll: true });
    };
  }, [mode]);

  useListener(window, 'keydown', (event) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return; // a menu or dialog above handled it
    if (mode === 'beside' && document.querySelector('[data-panel-over]')) return; // the panel above handles it
    event.preventDefault();
    onClose();
  });

  return (
    <aside
      ref={root}
      tabIndex={-1}
      data-panel-over={mode === 'over' || undefined}
      aria-labelledby={titleId}
      className={cx(
        'flex min-h-0 min-w-0 flex-col outline-none max-lg:fixed max-lg:inset-0 max-lg:z-20 max-lg:w-full max-lg:bg-raised',
        mode === 'beside'
          ? 'w-panel flex-none border-l border-line-2 bg-page max-lg:border-l-0'
          : 'animate-slide-in absolute inset-y-0 right-0 z-20 w-panel-wide max-w-full bg-raised shadow-panel',
      )}
    >
      <header className="flex-none border-b border-line px-4 py-2">
        <div className="flex min-h-ctl items-center gap-2">
          {mark}
          <h2 id={titleId} className="min-w-0 truncate text-14">
            {title}
          </h2>
          {status}
          <span className="ml-auto flex flex-none items-center gap-1 pl-2">
            {tools}
            <IconButton icon={X} label="Close panel" tip="Close (Esc)" className="-mr-1.5" onClick={onClose} />
          </span>
        </div>
        {meta ? <div className="flex items-center gap-2 pb-1 text-12 text-fg-3">{meta}</div> : null}
        {actions ? <div className="flex flex-wrap items-center gap-2 py-1.5">{actions}</div> : null}
      </header>
      <div
        {...scrollRegion(typeof title === 'string' ? title : 'Panel')}
        className="relative min-h-0 flex-1 overflow-y-auto focus-visible:-outline-offset-2"
      >
        {children}
      </div>
      {foot ? (
        <footer className="flex min-h-[52px] flex-none flex-wrap items-center gap-2 border-t border-line px-4 py-2">
          {foot}
        </footer>
      ) : null}
    </aside>
  );
}

/** Below this width the panel covers the page: the `lg` breakpoint of its classes. */
const ALONE = '(width < 1024px)';

/** Keeps the focus out of content that the panel covers: on a phone the whole page, otherwise a part of it. */
function useCover(root: RefObject<HTMLElement | null>, mode: PanelProps['mode']): void {
  useEffect(() => {
    const panel = root.current;
    if (!panel) return;
    const alone = matchMedia(ALONE);
    let uncover: (() => void) | undefined;
    const look = () => {
      uncover?.();
      uncover = alone.matches ? cover(panel) : undefined;
      if (alone.matches && !panel.contains(document.activeElement)) panel.focus({ preventScroll: true });
    };
    const onFocus = (event: FocusEvent) => {
      if (mode === 'over' && !alone.matches) skipUnder(panel, event);
    };
    look();
    alone.addEventListener('change', look);
    document.addEventListener('focusin', onFocus);
    return () => {
      alone.removeEventListener('change', look);
      document.removeEventListener('focusin', onFocus);
      uncover?.();
    };
  }, [root, mode]);
}

interface PanelSectionProps {
  title?: ReactNode;
  /** Muted text after the title: a size, a count. */
  note?: ReactNode;
  /** At the end of the title's line. */
  aside?: ReactNode;
  children: ReactNode;
}

/** A section of a panel, with a border below. */
export function PanelSection({ title, note, aside, children }: PanelSectionProps) {
  return (
    <section className="border-b border-line px-4 py-3 last:border-b-0">
      {title === undefined ? null : (
        <div className="mb-2 flex min-h-6 items-center gap-2">
          <h3 className="text-13 tracking-normal">{title}</h3>
          {note === undefined ? null : <span className="min-w-0 truncate text-12 text-fg-3">{note}</span>}
          {aside === undefined ? null : <span className="ml-auto flex flex-none items-center gap-2">{aside}</span>}
        </div>
      )}
      {children}
    </section>
  );
}
