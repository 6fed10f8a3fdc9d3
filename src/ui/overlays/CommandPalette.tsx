import { Autocomplete } from '@base-ui/react/autocomplete';
import { Dialog } from '@base-ui/react/dialog';
import { Search } from 'lucide-react';
import type { Ref } from 'react';
import { cx } from '../cx.ts';
import type { Icon } from '../icon.ts';
import { KeyCap, KeyHint } from '../KeyCap.tsx';

/** A command of the palette: navigate, run an action, open a result. */
export interface Command {
  readonly id: string;
  readonly label: string;
  /** Muted text after the label. */
  readonly note?: string | undefined;
  /** The note is code, on a line below the label. */
  readonly isCode?: boolean | undefined;
  /** The whole label, if `label` is shortened. */
  readonly title?: string | undefined;
  /** Further search words. */
  readonly keywords?: string | undefined;
  readonly icon?: Icon | undefined;
  readonly kbd?: string | undefined;
  readonly onSelect: () => void;
}

export interface CommandGroup {
  readonly label: string;
  readonly commands: readonly Command[];
  /** The service has already filtered the commands. */
  readonly found?: boolean | undefined;
}

export interface CommandPaletteProps {
  onClose: () => void;
  query: string;
  onQueryChange: (query: string) => void;
  groups: readonly CommandGroup[];
  /** Results are still loading. */
  busy?: boolean | undefined;
  /** The ref of the field. */
  inputRef?: Ref<HTMLInputElement> | undefined;
  /** The element to focus after closing. */
  finalFocus?: HTMLElement | undefined;
}

interface ShownGroup {
  readonly value: string;
  readonly items: readonly Command[];
}

/** Every typed word must start a word of the command, or occur anywhere in it if longer than two letters. */
function matches(command: Command, words: readonly string[]): boolean {
  const text = `${command.label} ${command.note ?? ''} ${command.keywords ?? ''}`.toLowerCase();
  return words.every(
    (word) => text.startsWith(word) || text.includes(` ${word}`) || (word.length > 2 && text.includes(word)),
  );
}

function shownGroups(groups: readonly CommandGroup[], query: string): readonly ShownGroup[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return groups
    .map(({ label, commands, found }) => ({
      value: label,
      items: found ? commands : commands.filter((command) => matches(command, words)),
    }))
    .filter((group) => group.items.length > 0);
}

/** The dialog of the command palette. */
export function CommandPalette({
  onClose,
  query,
  onQueryChange,
  groups,
  busy = false,
  inputRef,
  finalFocus,
}: CommandPaletteProps) {
  const run = (command: Command) => {
    onClose();
    command.onSelect();
  };
  return (
    <Dialog.Root
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
    >
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-scrim" />
        <Dialog.Viewport className="fixed inset-0 z-40 flex items-start justify-center px-4 pt-[min(14vh,112px)] max-sm:px-2 max-sm:pt-2">
          <Dialog.Popup
            aria-label="Command palette"
            finalFocus={() => finalFocus ?? true}
            className="flex max-h-[min(520px,80dvh)] w-full max-w-[600px] animate-appear flex-col overflow-hidden rounded-lg bg-raised shadow-window outline-none"
          >
            <Autocomplete.Root
              open
              inline
              items={shownGroups(groups, query)}
              filter={null}
              value={query}
              onValueChange={onQueryChange}
              itemToStringValue={(command: Command) => command.label}
              autoHighlight="always"
              keepHighlight
            >
              <div className="flex h-11 flex-none items-center gap-2 border-b border-line px-3">
                <Search size={16} className="flex-none text-fg-3" aria-hidden />
                <Autocomplete.Input
                  ref={inputRef}
                  aria-label="Search or jump to"
                  placeholder="Search or jump to…"
                  className="h-full min-w-0 flex-1 bg-transparent text-14 outline-none"
                />
                {busy ? <span className="text-12 text-fg-3">Searching…</span> : null}
              </div>
              <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain">
                <Autocomplete.Empty>
                  {query && !busy ? <p className="px-4 py-5 text-13 text-fg-2">No results.</p> : null}
                </Autocomplete.Empty>
                <Autocomplete.List className="p-1">
                  {(group: ShownGroup) => (
                    <Autocomplete.Group key={group.value} items={group.items} className="pb-1 last:pb-0">
                      <Autocomplete.GroupLabel className="px-2 pt-2 pb-1 text-11 font-medium text-fg-3">
                        {group.value}
                      </Autocomplete.GroupLabel>
                      <Autocomplete.Collection>
                        {(command: Command) => (
                          <CommandRow key={command.id} command={command} onSelect={() => run(command)} />
                        )}
                      </Autocomplete.Collection>
                    </Autocomplete.Group>
                  )}
                </Autocomplete.List>
              </div>
              <div className="flex h-8 flex-none items-center gap-3 border-t border-line px-3 pointer-coarse:hidden">
                <KeyHint keys={['↑', '↓']}>choose</KeyHint>
                <KeyHint keys={['Enter']}>go</KeyHint>
                <KeyHint keys={['Esc']}>close</KeyHint>
              </div>
            </Autocomplete.Root>
          </Dialog.Popup>
        </Dialog.Viewport>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function CommandRow({ command, onSelect }: { command: Command; onSelect: () => void }) {
  const Mark = command.icon;
  return (
    <Autocomplete.Item
      value={command}
      onClick={onSelect}
      title={command.title}
      className={cx(
        'flex scroll-my-1 items-center gap-2 rounded-sm px-2 text-13 select-none data-highlighted:bg-press',
        command.isCode ? 'min-h-11 py-1' : 'h-8 pointer-coarse:h-10',
      )}
    >
      <span className="grid size-4 flex-none place-items-center text-fg-3">
        {Mark ? <Mark size={16} strokeWidth={1.5} aria-hidden /> : null}
      </span>
      {command.isCode ? (
        <span className="grid min-w-0 flex-1">
          <span className="truncate">{command.label}</span>
          <code className="truncate text-12 text-fg-2">{command.note}</code>
        </span>
      ) : (
        <>
          <span className="min-w-0 truncate">{command.label}</span>
          {command.note ? <span className="min-w-0 flex-1 truncate text-12 text-fg-3">{command.note}</span> : null}
        </>
      )}
      {command.kbd ? (
        <span className="ml-auto">
          <KeyCap>{command.kbd}</KeyCap>
        </span>
      ) : null}
    </Autocomplete.Item>
  );
}
