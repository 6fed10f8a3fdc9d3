import { Menu, Search } from 'lucide-react';
import { Suspense } from 'react';
import { Link } from '../components/Link.tsx';
import { IconButton } from '../ui/controls/IconButton.tsx';
import { KeyCap } from '../ui/KeyCap.tsx';
import { useCrumbs } from './handle.ts';
import { HelpLink, LiveStatus, ThemeMenu } from './late-part.ts';
import { preloadPalette } from './palette/PaletteOpening.tsx';
import { ZoneSwitch } from './ZoneSwitch.tsx';

export interface TopBarProps {
  onOpenPalette: () => void;
  onOpenNavigation: () => void;
}

/** The top bar: breadcrumb, live status, time zone, command palette, theme. */
export function TopBar({ onOpenPalette, onOpenNavigation }: TopBarProps) {
  return (
    <header className="flex h-bar flex-none items-center gap-3 border-b border-line px-4 max-md:px-2">
      <span className="md:hidden">
        <IconButton icon={Menu} label="Open navigation" onClick={onOpenNavigation} />
      </span>
      <Breadcrumb />
      <Suspense>
        <LiveStatus />
      </Suspense>
      <span className="max-md:hidden">
        <ZoneSwitch />
      </span>
      <button
        type="button"
        aria-keyshortcuts="Meta+K Control+K"
        onClick={onOpenPalette}
        onPointerEnter={preloadPalette}
        onFocus={preloadPalette}
        className="flex h-ctl w-56 items-center gap-2 rounded border border-line-2 px-2 text-left text-fg-3 hover:bg-hover max-lg:w-auto"
      >
        <Search size={14} className="flex-none" aria-hidden />
        <span className="flex-1 max-lg:sr-only">Search or jump to…</span>
        <span className="max-lg:hidden">
          <KeyCap>mod+k</KeyCap>
        </span>
      </button>
      <span className="flex w-14 flex-none justify-end pointer-coarse:w-20">
        <Suspense>
          <HelpLink />
          <ThemeMenu />
        </Suspense>
      </span>
    </header>
  );
}

function Breadcrumb() {
  const crumbs = useCrumbs();
  return (
    <nav aria-label="Breadcrumb" className="min-w-0 flex-1">
      <ol className="flex min-w-0 items-center gap-1.5">
        {crumbs.map(({ label, to }, index) =>
          index === crumbs.length - 1 ? (
            <li key={to} aria-current="page" className="min-w-0 truncate font-medium">
              {label}
            </li>
          ) : (
            <li key={to} className="flex min-w-0 items-center gap-1.5 max-sm:hidden">
              <Link to={to} className="truncate text-fg-2 hover:text-fg hover:underline">
                {label}
              </Link>
              <span aria-hidden className="text-fg-3">
                /
              </span>
            </li>
          ),
        )}
      </ol>
    </nav>
  );
}
