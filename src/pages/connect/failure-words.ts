/** Why a connection could not be completed, worded for its end user. */
import type { ConnectionFailureCode } from '../../../contract/states.ts';
import type { ConnectSession } from './connect-api.ts';

export interface FailureWords {
  readonly title: string;
  /** The recommended action. */
  readonly advice: string;
  /** A new attempt failed, while the existing connection still works. */
  readonly again: boolean;
}

type Names = { readonly app: string; readonly account: string };

const WORDS: Record<ConnectionFailureCode, (names: Names) => FailureWords> = {
  ACCESS_DENIED: ({ app }) => ({
    title: `${app} denied access`,
    advice: 'Nothing was connected. If that was a mistake, try again and allow access.',
    again: true,
  }),
  EXCHANGE_FAILED: ({ app }) => ({
    title: `${app} did not complete the sign-in`,
    advice: 'Nothing was connected. Try again.',
    again: true,
  }),
  INVALID_CREDENTIALS: ({ app }) => ({
    title: `${app} rejected the credentials`,
    advice: 'Check the credentials and enter them again.',
    again: true,
  }),
  REFRESH_REJECTED: ({ app }) => ({
    title: `${app} ended the connection`,
    advice: 'It no longer accepts the stored credentials. Reconnect to restore access.',
    again: false,
  }),
  REFRESH_EXHAUSTED: ({ app }) => ({
    title: `${app} did not respond for days`,
    advice: 'The stored token has expired. Reconnect to restore access.',
    again: false,
  }),
  REVOKED: ({ app }) => ({
    title: `Access was revoked at ${app}`,
    advice: 'Reconnect if this was not intended.',
    again: false,
  }),
  ADDRESS_REFUSED: () => ({
    title: 'This URL is not allowed',
    advice: 'It resolves to a private or reserved network address. Check the URL and enter it again.',
    again: true,
  }),
  SERVER_NOT_FOUND: ({ app }) => ({
    title: `No ${app} at this URL`,
    advice: 'Check the URL and enter it again.',
    again: true,
  }),
  DISCONNECTED: ({ app, account }) => ({
    title: `${app} was disconnected`,
    advice: `${account} disconnected this copy of its service. Reconnect to restore access.`,
    again: false,
  }),
  KEY_LOST: ({ app, account }) => ({
    title: `${app} was disconnected`,
    advice: `${account} lost the key of its stored credentials. Reconnect to restore access.`,
    again: false,
  }),
  APP_CONFIG: ({ app, account }) => ({
    title: `${app} is not configured correctly`,
    advice: `This can’t be fixed here: contact ${account}, then try again.`,
    again: true,
  }),
};

export function failureWords({ failure, app, account_name }: ConnectSession): FailureWords | undefined {
  return failure ? WORDS[failure.code]({ app: app.name, account: account_name }) : undefined;
}
