import { Plus } from 'lucide-react';
import type { Operation } from '../api/operation.ts';
import { useReason } from '../api/session.ts';
import { Button } from '../ui/controls/Button.tsx';
import { LinkButton } from '../ui/controls/LinkButton.tsx';
import { Link } from './Link.tsx';

export interface NewButtonProps {
  /** What the page does in the end; the button is disabled for roles that may not. */
  readonly operation: Operation;
  readonly to: string;
  readonly variant?: 'primary' | undefined;
  readonly children: string;
}

/** Opens the page on which one is made. */
export function NewButton({ operation, to, variant, children }: NewButtonProps) {
  const reason = useReason(operation);
  return reason ? (
    <Button variant={variant} icon={Plus} reason={reason}>
      {children}
    </Button>
  ) : (
    <LinkButton variant={variant} icon={Plus} render={<Link to={to} />}>
      {children}
    </LinkButton>
  );
}
