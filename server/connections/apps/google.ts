import { type JwtMethod, type MethodDefinition, oauth2, secretFile, text } from './definition.ts';

/** How Google authenticates notifications of a channel: with the token that was set when it was created. */
export const GOOGLE_CHANNEL = { kind: 'token', header: 'X-Goog-Channel-Token' } as const;

/**
 * Methods of every Google API: OAuth, or the key of a service account. Gmail mailboxes belong to users, so there the
 * service account impersonates a user (`subject`), which requires domain-wide delegation.
 */
export function google(scopes: string[], { subject = false } = {}): MethodDefinition[] {
  return [
    oauth2({
      authorize_url: 'https://accounts.google.com/o/oauth2/v2/auth',
      token_url: 'https://oauth2.googleapis.com/token',
      scopes,
      // Google issues a refresh token only with both.
      authorize_params: { access_type: 'offline', prompt: 'consent' },
    }),
    serviceAccount(scopes, subject),
  ];
}

const serviceAccount = (scopes: string[], subject: boolean): JwtMethod => ({
  method: 'JWT',
  fields: [
    text('client_email', 'Service account', 'The client_email in its key file.', '[^@\\s]+@[^@\\s]+'),
    secretFile('private_key', 'Private key', 'The JSON key file of the service account, or the private_key in it.'),
    ...(subject ? [text('subject', 'User', 'The email address of the user to impersonate.', '[^@\\s]+@[^@\\s]+')] : []),
  ],
  token: {
    algorithm: 'RS256',
    key: '{private_key}',
    key_encoding: 'pem',
    header: {},
    claims: {
      iss: '{client_email}',
      aud: 'https://oauth2.googleapis.com/token',
      ...(subject ? { sub: '{subject}' } : {}),
    },
    lives_seconds: 3600,
  },
  exchange: {
    url: 'https://oauth2.googleapis.com/token',
    style: 'rfc7523',
    scopes,
    token_name: 'access_token',
    capture: {},
  },
  put: [{ in: 'header', name: 'Authorization', template: 'Bearer {access_token}' }],
});
