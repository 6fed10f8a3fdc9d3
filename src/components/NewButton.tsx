import { Plus } from 'lucide-react';
import type { Operation } from '../api/operation.ts';
import { useReason } from '../api/session.ts';
import { Button } from '../ui/controls/Button.tsx';
import { LinkButton } from '../ui/controls/LinkButton.tsx';
import { Link } from './Link.tsx';

export interface NewButtonProps {
  /** The operation that the page submits. The button is disabled for roles that may not call it. */
  readonly operation: Operation;
  readonly to: string;
  readonly variant?: 'primary' | undefined;
  readonly children: string;
}

/** A button that opens the page for creating a resource. */
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
