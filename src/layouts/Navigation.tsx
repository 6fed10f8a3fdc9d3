import { Activity, Braces, CircleAlert, House, List, Plug, Settings, Zap } from 'lucide-react';
import { Fragment, type ReactNode, Suspense } from 'react';
import type { Role } from '../../contract/states.ts';
import { useSession } from '../api/session.ts';
import { NavLink } from '../components/Link.tsx';
import { path } from '../lib/path.ts';
import { CountBadge } from '../ui/CountBadge.tsx';
import type { Icon } from '../ui/icon.ts';
import { Tag } from '../ui/Tag.tsx';
import { useAttention } from './attention.ts';
import { AccountMenu, SavedFilterLinks } from './late-part.ts';
import { ZoneSwitch } from './ZoneSwitch.tsx';

export type Place = { readonly label: string; readonly to: string; readonly icon: Icon };

/** The main pages of the console. */
export const PLACES: readonly Place[] = [
  { label: 'Overview', to: path.overview(), icon: House },
  { label: 'Problems', to: path.problems(), icon: CircleAlert },
  { label: 'Connections', to: path.connections(), icon: Plug },
  { label: 'Triggers', to: path.triggers(), icon: Zap },
  { label: 'Events', to: path.events(), icon: List },
  { label: 'Functions', to: path.functions(), icon: Braces },
  { label: 'Runs', to: path.runs(), icon: Activity },
];
const ROLE_NAMES = { OWNER: 'Owner', ADMIN: 'Admin', VIEWER: 'Viewer' } satisfies Record<Role, string>;
const SETTINGS: Place = { label: 'Settings', to: '/settings', icon: Settings };

function PlaceLink({ place: { label, to, icon: Mark }, badge }: { place: Place; badge?: ReactNode }) {
  return (
    <NavLink
      to={to}
      end={to === '/'}
      className="flex h-7 items-center gap-2.5 rounded px-2 font-medium text-fg-2 no-underline hover:bg-hover hover:text-fg aria-[current=page]:bg-press aria-[current=page]:text-fg pointer-coarse:h-10"
    >
      <Mark size={16} strokeWidth={1.75} className="flex-none" aria-hidden />
      {label}
      {badge}
    </NavLink>
  );
}

function Contents() {
  const { email, role } = useSession();
  const { connections, triggers, failing, open } = useAttention();
  const inNeed = new Set([...triggers, ...failing].map(({ trigger_id }) => trigger_id));
  const badges: Record<string, ReactNode> = {
    Problems: <CountBadge count={open?.open_count ?? 0} tone="bad" label="open problems" />,
    Connections: <CountBadge count={connections.length} tone="bad" label="connections that need attention" />,
    Triggers: <CountBadge count={inNeed.size} tone="warn" label="triggers that need attention" />,
  };
  return (
    <>
      <div className="flex h-bar flex-none items-center px-2">
        <Suspense>
          <AccountMenu />
        </Suspense>
      </div>
      <div className="grid min-h-0 flex-1 content-start gap-px overflow-y-auto px-2 py-1">
        {PLACES.map((place) => (
          <Fragment key={place.to}>
            <PlaceLink place={place} badge={badges[place.label]} />
            {place.label === 'Events' ? (
              <Suspense>
                <SavedFilterLinks />
              </Suspense>
            ) : null}
          </Fragment>
        ))}
        <hr className="mx-2 my-2 border-t border-line-2" />
        <PlaceLink place={SETTINGS} />
      </div>
      <div className="flex-none px-4 pb-2 md:hidden">
        <ZoneSwitch />
      </div>
      <div className="flex h-bar flex-none items-center gap-2 px-4 text-12 text-fg-3">
        <span className="min-w-0 flex-1 truncate" title={email}>
          {email}
        </span>
        <Tag>{ROLE_NAMES[role]}</Tag>
      </div>
    </>
  );
}

/** The main navigation; on a phone NavigationSheet replaces it. */
export function SideNavigation() {
  return (
    <nav aria-label="Main" className="flex w-side flex-none flex-col border-r border-line bg-frame max-md:hidden">
      <Contents />
    </nav>
  );
}

/** The main navigation on a phone: slides in from the left and closes after a selection. */
export function NavigationSheet({ open, onClose }: { open: boolean; onClose: () => void }) {
  return open ? (
    <dialog
      ref={showSheet}
      aria-label="Navigation"
      // StrictMode attaches the ref twice, so the sheet may be open again when the close event arrives
      onClose={({ currentTarget }) => {
        if (!currentTarget.open) onClose();
      }}
      className="animate-appear m-0 h-dvh max-h-none w-64 max-w-[85vw] bg-frame p-0 text-13 text-fg shadow-window backdrop:bg-scrim"
    >
      <nav aria-label="Main" className="flex h-full flex-col">
        <Contents />
      </nav>
    </dialog>
  ) : null;
}

/** Opens the sheet as a modal until it unmounts. A click on the backdrop closes it. */
function showSheet(sheet: HTMLDialogElement): () => void {
  sheet.showModal();
  const dismiss = ({ target }: Event) => {
    if (target === sheet) sheet.close();
  };
  sheet.addEventListener('click', dismiss);
  return () => {
    sheet.removeEventListener('click', dismiss);
    sheet.close();
  };
}
