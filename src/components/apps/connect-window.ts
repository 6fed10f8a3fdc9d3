/**
 * The connect window, opened from the console. Browsers allow a page to open a window only during a click, before the
 * connect link exists. So the window is opened empty and then navigated to a new link. If the browser blocks it, the
 * page shows the link. When done, the window notifies its opener and closes.
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
/** One window name, so that a second click reuses the open window. */
export const WINDOW_NAME = 'sluice-connect';

/** The state of a navigation after which the page reports that the browser blocked the window. */
export const WINDOW_BLOCKED = { connectWindow: 'blocked' } as const;
export const wasBlocked = (state: unknown): boolean =>
  typeof state === 'object' && state !== null && 'connectWindow' in state;

/** Opens the empty window, centered over this one. Null if the browser blocked it. */
export function openWindow(): Window | null {
  const left = Math.round(window.screenX + (window.outerWidth - WIDTH) / 2);
  const top = Math.round(window.screenY + Math.max(0, (window.outerHeight - HEIGHT) / 3));
  const opened = window.open('', WINDOW_NAME, `popup,width=${WIDTH},height=${HEIGHT},left=${left},top=${top}`);
  opened?.focus();
  return opened;
}

/** Creates a link with the longest lifetime, because the displayed one may be about to expire. */
export async function freshLink(connection_id: string): Promise<string> {
  const { connection } = await queryClient.query({ ...connectionQuery(connection_id), staleTime: 0 });
  return connection.url;
}

/** Creates a new link for an existing connection; earlier links stop working. */
export async function renewedLink(connection_id: string): Promise<string> {
  const reply = await call('connectionReconnect', { params: { connection_id } });
  queryClient.setQueryData(connectionQuery(connection_id).queryKey, reply);
  return reply.connection.url;
}

/** Navigates an open window to the link of a connection. */
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

/** Handles the message of the window that it is done. It arrives before the live change, also without a live stream. */
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
