import type { ReactNode } from 'react';
import { LinkButton } from '../ui/controls/LinkButton.tsx';
import { Link } from './Link.tsx';

/** In an empty list: the link to what fills it. */
export function NextStep({ to, children }: { readonly to: string; readonly children: ReactNode }) {
  return <LinkButton render={<Link to={to} />}>{children}</LinkButton>;
}
