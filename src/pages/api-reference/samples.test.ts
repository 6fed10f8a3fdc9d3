import { describe, expect, it } from 'vitest';
import { LANGUAGES, type SampleRequest, sampleOf } from './samples.ts';

const request: SampleRequest = {
  operationId: 'savedFilterCreate',
  method: 'POST',
  path: '/events/filters',
  needsKey: true,
  params: {},
  query: {},
  body: { name: "Ada's", filter: { pinned: true, q: null } },
};
const sample = (language: (typeof LANGUAGES)[number]['value'], more: Partial<SampleRequest> = {}) =>
  sampleOf(language, { ...request, ...more }, 'https://sluice.example.com/api');

describe('a sample', () => {
  it('quotes the body for a shell', () => {
    expect(sample('curl')).toContain(`"name": "Ada'\\''s"`);
    expect(sample('curl')).toContain('-H "Authorization: Bearer $API_KEY"');
  });

  it('has literals of the language', () => {
    expect(sample('python')).toContain('"pinned": True,');
    expect(sample('python')).toContain('"q": None,');
    expect(sample('fetch')).toContain('"q": null');
    expect(sample('client')).toContain("sluice.call('savedFilterCreate', {");
  });

  it('has neither key nor body where none is needed', () => {
    for (const { value } of LANGUAGES.filter((each) => each.value !== 'client')) {
      const text = sample(value, { method: 'GET', needsKey: false, body: undefined });
      expect(text, value).not.toMatch(/authorization|content-type/i);
    }
  });
});
