import { type KeyboardEvent, type Ref, useId, useImperativeHandle, useRef, useState } from 'react';
import { TextArea } from '../../../../ui/controls/TextArea.tsx';
import { cx } from '../../../../ui/cx.ts';
import { nameAt, offersFor, type TemplateName, withName } from './template-text.ts';

export interface TemplateInputHandle {
  /** Moves the caret to this position. */
  goTo(position: number): void;
}

export interface TemplateInputProps {
  readonly ref?: Ref<TemplateInputHandle>;
  readonly name: string;
  readonly value: string;
  readonly names: readonly TemplateName[];
  readonly readOnly: boolean;
  readonly placeholder: string;
  readonly onChange: (value: string) => void;
  readonly onBlur: () => void;
}

/** The template input: suggests the event's field names between `{{` and `}}`. */
export function TemplateInput(props: TemplateInputProps) {
  const { ref, name, value, names, readOnly, placeholder, onChange, onBlur } = props;
  const area = useRef<HTMLTextAreaElement>(null);
  const listId = useId();
  // undefined: closed, by Escape or because the caret left the braces
  const [caret, setCaret] = useState<number>();
  const [chosen, setChosen] = useState(0);
  useImperativeHandle(ref, () => ({
    goTo(position) {
      area.current?.focus();
      area.current?.setSelectionRange(position, position);
    },
  }));
  const at = caret === undefined || readOnly ? undefined : nameAt(value, caret);
  const offers = at ? offersFor(at.typed, names) : [];
  const open = offers.length > 0;
  const current = Math.min(chosen, offers.length - 1);

  const look = () => {
    const element = area.current;
    setCaret(element && element.selectionStart === element.selectionEnd ? element.selectionStart : undefined);
    setChosen(0);
  };
  const take = (offer: TemplateName | undefined) => {
    const element = area.current;
    if (!at || caret === undefined || !offer || !element) return;
    const next = withName(value, caret, at.from, offer.name);
    // text and caret are updated together: a key pressed before the next frame is inserted after the name
    element.focus();
    element.value = next.text;
    element.setSelectionRange(next.caret, next.caret);
    onChange(next.text);
    setCaret(undefined);
  };
  const press = (event: KeyboardEvent) => {
    if (!open) return;
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (move !== undefined) setChosen((current + move + offers.length) % offers.length);
    else if (event.key === 'Enter' || event.key === 'Tab') take(offers[current]);
    else if (event.key === 'Escape') setCaret(undefined);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div className="relative min-w-0">
      <TextArea
        ref={area}
        mono
        rows={8}
        name={name}
        value={value}
        readOnly={readOnly}
        placeholder={placeholder}
        autoComplete="off"
        autoCapitalize="off"
        aria-autocomplete="list"
        aria-haspopup="listbox"
        aria-controls={open ? listId : undefined}
        aria-activedescendant={open ? `${listId}-${current}` : undefined}
        onChange={(event) => {
          onChange(event.target.value);
          look();
        }}
        onKeyDown={press}
        onKeyUp={(event) => {
          if (/^(?:Arrow(?:Left|Right)|Home|End)$/.test(event.key)) look();
        }}
        onClick={look}
        onBlur={() => {
          setCaret(undefined);
          onBlur();
        }}
      />
      {open ? (
        <div
          id={listId}
          role="listbox"
          aria-label="Event fields"
          className="absolute inset-x-0 top-full z-30 mt-1 max-h-56 overflow-y-auto rounded border border-line-2 bg-raised p-1 shadow-pop"
        >
          {offers.map((offer, index) => (
            <div
              key={offer.name}
              id={`${listId}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === current}
              className={cx(
                'flex min-h-6 cursor-default items-center gap-3 rounded-sm px-2',
                index === current && 'bg-accent-bg',
              )}
              onPointerDown={(event) => {
                event.preventDefault();
                take(offer);
              }}
            >
              <span className="data min-w-0 flex-1 truncate">{offer.name}</span>
              <span className="data max-w-2/5 flex-none truncate text-fg-3">{offer.sample}</span>
            </div>
          ))}
        </div>
      ) : null}
      <span className="sr-only" role="status">
        {open ? `${offers.length} matching names. Use the arrow keys to choose and Enter to insert.` : ''}
      </span>
    </div>
  );
}
