import type { ReactNode } from 'react';

export const isMac = typeof navigator !== 'undefined' && /Mac|iP(hone|ad)/.test(navigator.userAgent);

/** `mod+k` in the notation of the platform: `⌘K` or `Ctrl K`. */
function shown(keys: string): string {
  if (!keys.startsWith('mod+')) return keys;
  const key = keys.slice(4).replace('enter', '↵').toUpperCase();
  return isMac ? `⌘${key}` : `Ctrl ${key}`;
}

/** A key cap. */
export function KeyCap({ children }: { children: string }) {
  return (
    <kbd className="inline-block min-w-[18px] rounded-sm border border-line-2 bg-page px-1 text-center font-sans text-11 font-medium text-fg-3">
      {shown(children)}
    </kbd>
  );
}

export interface KeyHintProps {
  keys: readonly string[];
  children: ReactNode;
}

/** Keys and their action, for the footer of a list: `j` `k` move. */
export function KeyHint({ keys, children }: KeyHintProps) {
  return (
    <span className="inline-flex items-center gap-1 text-12 text-fg-3 pointer-coarse:hidden">
      {keys.map((key) => (
        <KeyCap key={key}>{key}</KeyCap>
      ))}
      {children}
    </span>
  );
}
