import { ChevronDown, Copy, LogOut, Settings } from 'lucide-react';
import { toApiError } from '../api/api-error.ts';
import { call } from '../api/client.ts';
import { useSession } from '../api/session.ts';
import { forgetSignedIn } from '../api/was-signed-in.ts';
import { Link } from '../components/Link.tsx';
import { path } from '../lib/path.ts';
import { Mark } from '../ui/Mark.tsx';
import { Menu } from '../ui/overlays/Menu.tsx';
import { MenuHead, MenuItem, MenuLink, MenuSeparator } from '../ui/overlays/MenuItem.tsx';
import { toast } from '../ui/overlays/toast.ts';
import { forgetVisits } from './palette/recent.ts';

/** Whose account this is, who is signed in, and the way out. */
export default function AccountMenu() {
  const session = useSession();
  const signOut = async () => {
    // the pointer is over a link once the menu is gone: what it leads to must not be asked for any more
    document.body.inert = true;
    try {
      await call('sessionDelete');
    } catch (thrown) {
      document.body.inert = false;
      toast({ title: 'You are still signed in', description: toApiError(thrown).message, tone: 'bad' });
      return;
    }
    forgetVisits();
    forgetSignedIn();
    // a new document: nothing of this session stays in memory
    window.location.assign(path.signIn());
  };
  const copyId = async () => {
    await navigator.clipboard.writeText(session.account_id);
    toast({ title: 'Account ID copied', tone: 'ok' });
  };
  return (
    <Menu
      label="Account"
      trigger={(trigger) => (
        <button
          type="button"
          {...trigger}
          className="flex h-8 w-full min-w-0 items-center gap-2 rounded px-2 font-medium hover:bg-hover aria-expanded:bg-press"
        >
          <Mark size={20} />
          <span className="min-w-0 flex-1 truncate text-left">{session.account_name}</span>
          <ChevronDown size={14} className="flex-none text-fg-3" aria-hidden />
        </button>
      )}
    >
      <MenuHead>
        {session.name} · {session.email}
      </MenuHead>
      <MenuLink icon={Settings} render={<Link to={path.settings()} />}>
        Settings
      </MenuLink>
      <MenuItem icon={Copy} onSelect={() => void copyId()}>
        Copy account ID
      </MenuItem>
      <MenuSeparator />
      <MenuItem icon={LogOut} onSelect={() => void signOut()}>
        Sign out
      </MenuItem>
    </Menu>
  );
}
