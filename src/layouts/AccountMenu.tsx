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

/** The account, the signed-in user, and sign-out. */
export default function AccountMenu() {
  const session = useSession();
  const signOut = async () => {
    // once the menu closes, the pointer may be over a link, whose target must not be preloaded any more
    document.body.inert = true;
    let signOutUrl: string | null;
    try {
      signOutUrl = (await call('sessionDelete')).sign_out_url;
    } catch (thrown) {
      document.body.inert = false;
      toast({ title: 'Sign-out failed', description: toApiError(thrown).message, tone: 'bad' });
      return;
    }
    forgetVisits();
    forgetSignedIn();
    // load a new document, so that no data of this session stays in memory
    window.location.assign(signOutUrl ?? path.signIn());
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
