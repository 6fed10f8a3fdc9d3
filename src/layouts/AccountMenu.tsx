import { ArrowLeftRight, ChevronDown, Copy, LogOut, Plus, Settings } from 'lucide-react';
import { useState } from 'react';
import { toApiError } from '../api/api-error.ts';
import { call, holdRequests } from '../api/client.ts';
import { queryClient } from '../api/query-client.ts';
import { useSession } from '../api/session.ts';
import { forgetSignedIn } from '../api/was-signed-in.ts';
import { Link } from '../components/Link.tsx';
import { path } from '../lib/path.ts';
import { Mark } from '../ui/Mark.tsx';
import { Menu } from '../ui/overlays/Menu.tsx';
import { MenuHead, MenuItem, MenuLink, MenuSeparator } from '../ui/overlays/MenuItem.tsx';
import { toast } from '../ui/overlays/toast.ts';
import { NewAccountDialog } from './NewAccountDialog.tsx';
import { forgetVisits } from './palette/recent.ts';

/** Leaves the account for another page, whose path `change` returns. */
async function leave(failure: string, change: () => Promise<string>): Promise<void> {
  // once the menu closes, the pointer may be over a link, whose target must not be preloaded any more
  document.body.inert = true;
  // requests in flight, and further ones, would be refused
  void queryClient.cancelQueries();
  const changed = change();
  const release = holdRequests();
  try {
    const target = await changed;
    forgetVisits();
    // load a new document, so that no data of this account stays in memory
    window.location.assign(target);
  } catch (thrown) {
    document.body.inert = false;
    release();
    void queryClient.refetchQueries({ type: 'active' });
    toast({ title: failure, description: toApiError(thrown).message, tone: 'bad' });
  }
}

/** The account, the person's other accounts, the signed-in user, and sign-out. */
export default function AccountMenu() {
  const session = useSession();
  const [creating, setCreating] = useState(false);
  const others = session.accounts.filter(({ account_id }) => account_id !== session.account_id);
  const signOut = () =>
    leave('Sign-out failed', async () => {
      const { sign_out_url } = await call('sessionDelete');
      forgetSignedIn();
      return sign_out_url ?? path.signIn();
    });
  const switchTo = (account_id: string) =>
    leave('The account was not opened', async () => {
      await call('sessionSwitch', { body: { account_id } });
      return path.overview();
    });
  const copyId = async () => {
    await navigator.clipboard.writeText(session.account_id);
    toast({ title: 'Account ID copied', tone: 'ok' });
  };
  return (
    <>
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
        {others.map((account) => (
          <MenuItem key={account.account_id} icon={ArrowLeftRight} onSelect={() => void switchTo(account.account_id)}>
            <span className="sr-only">Switch to </span>
            {account.name}
          </MenuItem>
        ))}
        {session.may_create_account ? (
          <MenuItem icon={Plus} onSelect={() => setCreating(true)}>
            New account
          </MenuItem>
        ) : null}
        {others.length > 0 || session.may_create_account ? <MenuSeparator /> : null}
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
      {creating ? <NewAccountDialog onClose={() => setCreating(false)} /> : null}
    </>
  );
}
