import { Check } from 'lucide-react';
import { type KeyboardEvent, type RefObject, useId } from 'react';
import type { App } from '../../../api/entities.ts';
import { SourceMark } from '../../../components/apps/SourceMark.tsx';
import { plural } from '../../../lib/format.ts';
import { cx } from '../../../ui/cx.ts';
import { gridStep } from '../../../ui/grid-walk.ts';
import type { FoundSource } from './find-sources.ts';

export interface SourceTiles {
  /** Heading of the group; absent for none. */
  readonly name: string | undefined;
  readonly found: readonly FoundSource<App>[];
}

export interface SourceGridProps {
  readonly groups: readonly SourceTiles[];
  readonly value: string;
  readonly onChange: (found: FoundSource<App>) => void;
  /** Called on arrow up from the first row. */
  readonly onLeave: () => void;
  readonly at: RefObject<HTMLFieldSetElement | null>;
}

const radios = (around: HTMLElement) => [...around.querySelectorAll<HTMLInputElement>('input[type=radio]')];

/** The sources as tiles. Arrow keys move among the tiles by visual position and select them. */
export function SourceGrid({ groups, value, onChange, onLeave, at }: SourceGridProps) {
  const name = useId();
  const walk = (event: KeyboardEvent<HTMLElement>) => {
    if (event.metaKey || event.ctrlKey || event.altKey) return;
    const all = radios(event.currentTarget);
    const next = gridStep(all, all.indexOf(event.target as HTMLInputElement), event.key);
    if (next === undefined) return;
    // native arrow keys of radio buttons only know previous and next
    event.preventDefault();
    if (next === null) return onLeave();
    next.focus();
    next.click();
  };
  return (
    <fieldset ref={at} className="grid min-w-0 gap-3" onKeyDown={walk}>
      <legend className="sr-only">Source</legend>
      {groups.map((group) => (
        <div key={group.name ?? ''} className="min-w-0">
          {group.name === undefined ? null : <h3 className="mb-1 text-12 font-medium text-fg-2">{group.name}</h3>}
          <div className="grid grid-cols-[repeat(auto-fill,minmax(150px,1fr))] gap-1.5">
            {group.found.map((each) => (
              <Tile key={each.source.app} found={each} name={name} on={each.source.app === value} onChange={onChange} />
            ))}
          </div>
        </div>
      ))}
    </fieldset>
  );
}

interface TileProps {
  readonly found: FoundSource<App>;
  readonly name: string;
  readonly on: boolean;
  readonly onChange: (found: FoundSource<App>) => void;
}

function Tile({ found, name, on, onChange }: TileProps) {
  const { source, eventType } = found;
  const note =
    eventType ?? (source.event_types.length > 1 ? plural(source.event_types.length, 'event type') : undefined);
  return (
    <label
      className={cx(
        'relative flex h-11 min-w-0 items-center gap-2.5 rounded border px-2.5 has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent',
        on ? 'border-accent bg-selected' : 'border-line-2 hover:bg-hover',
      )}
    >
      <input
        type="radio"
        name={name}
        value={source.app}
        checked={on}
        onChange={() => onChange(found)}
        className="absolute inset-0 m-0 size-full opacity-0"
      />
      <SourceMark source={source.app} name={source.name} />
      <span className="min-w-0 flex-1">
        <span
          className={cx('font-medium', note === undefined ? 'line-clamp-2 leading-4' : 'block truncate')}
          title={source.name}
        >
          {source.name}
        </span>
        {note === undefined ? null : (
          <span className={cx('block truncate text-11 text-fg-3', eventType && 'font-mono')}>{note}</span>
        )}
      </span>
      {on ? <Check size={14} strokeWidth={2} className="flex-none text-accent" aria-hidden /> : null}
    </label>
  );
}

/** Focuses the selected tile, else the first. */
export function focusTiles(around: HTMLElement | null): void {
  const all = around ? radios(around) : [];
  (all.find(({ checked }) => checked) ?? all[0])?.focus();
}
