import { Outlet } from 'react-router';
import { NavLink } from '../../components/Link.tsx';
import type { Handle } from '../../layouts/handle.ts';
import { path } from '../../lib/path.ts';
import { TabLink, Tabs } from '../../ui/controls/Tabs.tsx';
import { PageHead } from '../../ui/PageHead.tsx';

export const handle: Handle = { crumb: 'Settings' };

/** The account's settings, keys, members and audit log. */
export function Component() {
  return (
    <>
      <PageHead title="Settings">
        <Tabs label="Settings">
          <TabLink render={<NavLink to={path.settings('account')} />}>Account</TabLink>
          <TabLink render={<NavLink to={path.settings('keys')} />}>API keys</TabLink>
          <TabLink render={<NavLink to={path.settings('members')} />}>Members</TabLink>
          <TabLink render={<NavLink to={path.settings('security')} />}>Your sign-in</TabLink>
          <TabLink render={<NavLink to={path.settings('sso')} />}>Single sign-on</TabLink>
          <TabLink render={<NavLink to={path.settings('audit')} />}>Audit log</TabLink>
        </Tabs>
      </PageHead>
      <Outlet />
    </>
  );
}
