import { expect, it } from 'vitest';
import { explainNetworkError } from './network-errors.ts';

it.each([
  ['The app could not be reached (ECONNREFUSED).', 'The connection was refused.'],
  ['The app could not be reached (UND_ERR_SOCKET).', 'The connection was closed before a response arrived.'],
  ['The app could not be reached (DEPTH_ZERO_SELF_SIGNED_CERT).', 'The TLS certificate is not trusted.'],
  ['The app’s response was malformed (HPE_INVALID_CONSTANT).', 'The response is not valid HTTP.'],
  ['The app did not respond in time (UND_ERR_HEADERS_TIMEOUT).', 'The app did not respond to the request in time.'],
])('%s %s', (message, words) => {
  expect(explainNetworkError(message)).toBe(words);
});

it('returns nothing for other messages', () => {
  expect(
    explainNetworkError('The app could not be reached: its URL does not resolve to a public address.'),
  ).toBeUndefined();
  expect(explainNetworkError('The app could not be reached (ESOMETHING_NEW).')).toBeUndefined();
});
