/** Whether the snippets accept and reject signatures is tested where they run: e2e/deliveries/destinations.e2e.ts. */
import { expect, it } from 'vitest';
import { VERIFY_LANGUAGES, verifySnippet } from './verify-snippets.ts';

const delivery = { id: 'msg_1', timestamp: '1700000000', signature: 'v1,a', body: '{"a":"€ \ufeff \u2028 \\"q\\""}' };

it('no snippet contains a byte order mark, which Go rejects, and the body stays equal', () => {
  const literal = /^\tbody := ("[^\n]*") \/\//mu.exec(verifySnippet('go', delivery))?.[1] ?? '';
  expect(JSON.parse(literal)).toBe(delivery.body);
  for (const language of VERIFY_LANGUAGES.filter((each) => each !== 'shell'))
    expect(verifySnippet(language, delivery), language).not.toContain('\ufeff');
});
