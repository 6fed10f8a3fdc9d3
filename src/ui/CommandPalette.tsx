import { lazy, Suspense } from 'react';
import type { Icon } from './icon.ts';

/** Something the palette can do: go somewhere, do something, open what was found. */
export interface Command {
  readonly id: string;
  readonly label: string;
  /** Behind the label, quiet: where it leads, what it is about. */
  readonly note?: string | undefined;
  /** More words it is found by. */
  readonly keywords?: string | undefined;
  readonly icon?: Icon | undefined;
  readonly kbd?: string | undefined;
  readonly onSelect: () => void;
}

export interface CommandGroup {
  readonly label: string;
  readonly commands: readonly Command[];
  /** Already filtered, by the service: shown as they come. */
  readonly found?: boolean | undefined;
}

export interface CommandPaletteProps {
  open: boolean;
  onClose: () => void;
  query: string;
  onQueryChange: (query: string) => void;
  groups: readonly CommandGroup[];
  /** Something still comes: searching on the service. */
  busy?: boolean | undefined;
}

const Window = lazy(() => import('./CommandWindow.tsx'));

/** Brings the palette's chunk before it is asked for: on hover of its button, say. */
export function preloadCommandPalette(): void {
  void import('./CommandWindow.tsx');
}

/** Go anywhere, do anything, by typing. Loaded at the first opening. */
export function CommandPalette(props: CommandPaletteProps) {
  return props.open ? (
    <Suspense>
      <Window {...props} />
    </Suspense>
  ) : null;
}
