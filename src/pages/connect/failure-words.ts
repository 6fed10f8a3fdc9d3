/** Why a connection is not there, for the person who can connect it. */
import type { ConnectionFailureCode } from '../../../contract/states.ts';
import type { ConnectSession } from './connect-api.ts';

export interface FailureWords {
  readonly title: string;
  /** What to do about it. */
  readonly advice: string;
  /** It came to nothing just now; the others worked once. */
  readonly again: boolean;
}

type Names = { readonly app: string; readonly account: string };

const WORDS: Record<ConnectionFailureCode, (names: Names) => FailureWords> = {
  ACCESS_DENIED: ({ app }) => ({
    title: `${app} denied access`,
    advice: 'Nothing was connected. If that was a mistake, try again and agree.',
    again: true,
  }),
  EXCHANGE_FAILED: ({ app }) => ({
    title: `${app} did not finish it`,
    advice: 'Nothing was connected. Try again.',
    again: true,
  }),
  INVALID_CREDENTIALS: ({ app }) => ({
    title: `${app} did not accept that`,
    advice: 'Check what was entered, and enter it again.',
    again: true,
  }),
  REFRESH_REJECTED: ({ app }) => ({
    title: `${app} ended the connection`,
    advice: 'It no longer accepts what is stored. Connect it again; everything that uses it will work again.',
    again: false,
  }),
  REFRESH_EXHAUSTED: ({ app }) => ({
    title: `${app} gave no answer for days`,
    advice: 'What is stored is too old by now. Connect it again; everything that uses it will work again.',
    again: false,
  }),
  REVOKED: ({ app }) => ({
    title: `The access was taken back at ${app}`,
    advice: 'Connect it again if that was not meant.',
    again: false,
  }),
  ADDRESS_REFUSED: () => ({
    title: 'This URL is not allowed',
    advice: 'It leads to a private or reserved network. Check the URL and enter it again.',
    again: true,
  }),
  SERVER_NOT_FOUND: ({ app }) => ({
    title: `No ${app} at this URL`,
    advice: 'Check the URL for typing errors and enter it again.',
    again: true,
  }),
  APP_CONFIG: ({ app, account }) => ({
    title: `${app} is not set up right`,
    advice: `This can’t be fixed here: contact ${account}, then try again.`,
    again: true,
  }),
};

export function failureWords({ failure, app, account_name }: ConnectSession): FailureWords | undefined {
  return failure ? WORDS[failure.code]({ app: app.name, account: account_name }) : undefined;
}
