/**
 * The connect window, opened from the console. A browser lets a page open a window only in the middle of a press, when
 * the link isn't known yet; so it is opened empty and sent to a fresh link a moment later. The browser may still keep
 * it closed: the link is then shown to be opened by hand. When it is done, the window notifies its opener and closes
 * itself.
 */
import { useEffect } from 'react';
import { toApiError } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import { invalidate, q } from '../../api/queries.ts';
import { queryClient } from '../../api/query-client.ts';
import { CONNECT_CHANNEL, connectedBy } from '../../lib/connect-message.ts';
import { toast } from '../../ui/overlays/toast.ts';

const connectionQuery = (connection_id: string) => q('connectionGet', { params: { connection_id } });

const WIDTH = 480;
const HEIGHT = 640;
/** One window, used again: a second press brings the first one back instead of opening another. */
export const WINDOW_NAME = 'sluice-connect';

/** State of a navigation after which the page says that the window was kept closed. */
export const WINDOW_BLOCKED = { connectWindow: 'blocked' } as const;
export const wasBlocked = (state: unknown): boolean =>
  typeof state === 'object' && state !== null && 'connectWindow' in state;

/** Opens it empty, in the middle over this one. Null: the browser did not allow it. */
export function openWindow(): Window | null {
  const left = Math.round(window.screenX + (window.outerWidth - WIDTH) / 2);
  const top = Math.round(window.screenY + Math.max(0, (window.outerHeight - HEIGHT) / 3));
  const opened = window.open('', WINDOW_NAME, `popup,width=${WIDTH},height=${HEIGHT},left=${left},top=${top}`);
  opened?.focus();
  return opened;
}

/** A link as long-lived as they get: the one on the screen may be about to end. */
export async function freshLink(connection_id: string): Promise<string> {
  const { connection } = await queryClient.query({ ...connectionQuery(connection_id), staleTime: 0 });
  return connection.url;
}

/** A new link for an existing connection; links made earlier no longer work. */
export async function renewedLink(connection_id: string): Promise<string> {
  const reply = await call('connectionReconnect', { params: { connection_id } });
  queryClient.setQueryData(connectionQuery(connection_id).queryKey, reply);
  return reply.connection.url;
}

/** Sends an opened window to the link of a connection. */
export async function showLink(
  opened: Window | null,
  connection_id: string,
  linkOf: (connection_id: string) => Promise<string> = freshLink,
): Promise<void> {
  try {
    const link = await linkOf(connection_id);
    opened?.location.replace(link);
  } catch (thrown) {
    opened?.close();
    toast({ title: 'The connect window could not be opened', description: toApiError(thrown).message, tone: 'bad' });
  }
}

/** The window says that it is done: sooner than the live stream, and also while that is down. */
export function useConnectMessage(connection_id: string, url: string): void {
  useEffect(() => {
    const { origin } = new URL(url);
    const onMessage = ({ origin: from, data }: MessageEvent<unknown>) => {
      if (from === origin && connectedBy(data) === connection_id) void invalidate('connectionGet', 'connectionList');
    };
    const channel = new BroadcastChannel(CONNECT_CHANNEL);
    channel.addEventListener('message', onMessage);
    window.addEventListener('message', onMessage);
    return () => {
      channel.close();
      window.removeEventListener('message', onMessage);
    };
  }, [connection_id, url]);
}
