/** That they accept and refuse is seen where they are run: e2e/deliveries/destinations.e2e.ts. */
import { expect, it } from 'vitest';
import { VERIFY_LANGUAGES, verifySnippet } from './verify-snippets.ts';

const delivery = { id: 'msg_1', timestamp: '1700000000', signature: 'v1,a', body: '{"a":"€ \ufeff \u2028 \\"q\\""}' };

it('no program has a byte order mark within, which Go refuses, and the body reads the same all the same', () => {
  const literal = /^\tbody := ("[^\n]*") \/\//mu.exec(verifySnippet('go', delivery))?.[1] ?? '';
  expect(JSON.parse(literal)).toBe(delivery.body);
  for (const language of VERIFY_LANGUAGES.filter((each) => each !== 'shell'))
    expect(verifySnippet(language, delivery), language).not.toContain('\ufeff');
});
