import { ExternalLink } from 'lucide-react';
import { useState } from 'react';
import type { Connection } from '../../api/entities.ts';
import { useReason } from '../../api/session.ts';
import { freshLink, openWindow, renewedLink, showLink } from '../../components/apps/connect-window.ts';
import { Button } from '../../ui/controls/Button.tsx';
import type { ButtonSize, ButtonVariant } from '../../ui/controls/button-class.ts';

/** The button label for each status. */
const VERB: Record<Connection['status'], string> = {
  PENDING: 'Complete',
  FAILED: 'Reconnect',
  ACTIVE: 'Update credentials',
};

export interface ConnectButtonProps {
  readonly connection: Connection;
  readonly variant?: ButtonVariant | undefined;
  readonly size?: ButtonSize | undefined;
  /** Accessible name that replaces the label where a list has several buttons. */
  readonly label?: ((verb: string) => string) | undefined;
  readonly onBlocked: () => void;
}

/** Opens the connect window: the only way to repair a connection. */
export function ConnectButton({ connection, variant, size, label, onBlocked }: ConnectButtonProps) {
  const { connection_id, status } = connection;
  // users who may change a connection can complete it; for others the URL has no token
  const reason = useReason('connectionReconnect');
  const [opening, setOpening] = useState(false);
  const open = async () => {
    const opened = openWindow();
    if (!opened) onBlocked();
    setOpening(true);
    await showLink(opened, connection_id, status === 'PENDING' ? freshLink : renewedLink);
    setOpening(false);
  };
  return (
    <Button
      variant={variant}
      size={size}
      icon={ExternalLink}
      reason={reason}
      pending={opening}
      aria-label={label?.(VERB[status])}
      onClick={() => void open()}
    >
      {VERB[status]}
    </Button>
  );
}
