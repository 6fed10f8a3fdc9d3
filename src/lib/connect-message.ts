/**
 * The messages of the connect window. They are posted to its opener at the allowed origins; the success also on this
 * channel, to pages of the same origin, which receive it if a provider's page has severed the opener.
 */
export const CONNECT_CHANNEL = 'sluice-connect';

/** `leaving`: the browser goes to the provider. `denied` and `failed`: the user can try again in the window. */
export type ConnectMessage =
  | { type: 'sluice:connected'; app: string; connection_id: string }
  | { type: 'sluice:denied' | 'sluice:failed' | 'sluice:expired'; message: string }
  | { type: 'sluice:canceled' | 'sluice:leaving' };

/** The connection id in a connect message; undefined for any other message. */
export function connectedBy(message: unknown): string | undefined {
  if (typeof message !== 'object' || message === null) return undefined;
  if (!('type' in message) || message.type !== 'sluice:connected' || !('connection_id' in message)) return undefined;
  return typeof message.connection_id === 'string' ? message.connection_id : undefined;
}
