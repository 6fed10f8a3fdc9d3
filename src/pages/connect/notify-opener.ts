/**
 * Notifies the window's opener of the success: the console, or an account's product on any origin. The message contains
 * the connection's ID and no secret. A provider's page may have severed the opener relation, so pages of the same
 * origin are also notified through a broadcast channel.
 */
import { CONNECT_CHANNEL, connectMessage } from '../../lib/connect-message.ts';

/** Long enough to read the success message. */
const CLOSE_AFTER_MS = 1_200;
const OPENED = 'sluice.opened';

const openerOf = () => window.opener as Window | null;

/** Remembers that this window has an opener: after the provider's page, `opener` may be null. */
export function noteOpener(): void {
  if (!openerOf()) return;
  try {
    sessionStorage.setItem(OPENED, '1');
  } catch {
    // without storage, the opener relation remains or the user closes the window
  }
}

export function wasOpened(): boolean {
  if (openerOf()) return true;
  try {
    return sessionStorage.getItem(OPENED) !== null;
  } catch {
    return false;
  }
}

/** `close`: closes the window after a moment if another page opened it. */
export function notifyOpener(connection_id: string, { close }: { close: boolean }): void {
  const message = connectMessage(connection_id);
  openerOf()?.postMessage(message, '*');
  const channel = new BroadcastChannel(CONNECT_CHANNEL);
  channel.postMessage(message);
  channel.close();
  if (close && wasOpened()) setTimeout(() => window.close(), CLOSE_AFTER_MS);
}
