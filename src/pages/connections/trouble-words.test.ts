import { expect, it } from 'vitest';
import { troubleWords } from './trouble-words.ts';

it.each([
  ['The app could not be reached (ECONNREFUSED).', 'Nothing takes connections at its address.'],
  ['The app could not be reached (UND_ERR_SOCKET).', 'It closed the connection before it had answered.'],
  ['The app could not be reached (DEPTH_ZERO_SELF_SIGNED_CERT).', 'Its certificate is not trusted.'],
  ['The app’s response was malformed (HPE_INVALID_CONSTANT).', 'The response is not valid HTTP.'],
  ['The app did not answer in time (UND_ERR_HEADERS_TIMEOUT).', 'It took the request and said nothing.'],
])('%s %s', (message, words) => {
  expect(troubleWords(message)).toBe(words);
});

it('adds nothing where all is said', () => {
  expect(troubleWords('The app could not be reached: its address is not a public one.')).toBeUndefined();
  expect(troubleWords('The app could not be reached (ESOMETHING_NEW).')).toBeUndefined();
});
