/** docs/sources.md says of every source that pushes what the catalogue says, and names no other. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { catalogue } from './catalogue.ts';
import { dottedTypes } from './event-names.ts';

const page = readFileSync(new URL('../../../docs/sources.md', import.meta.url), 'utf8');
const sections = new Map(
  page
    .split(/^## /m)
    .slice(1)
    .map((text) => [/^.* \(`(.*)`\)$/m.exec(text)?.[1] ?? '', text]),
);
const sources = [...catalogue.values()].flatMap(({ definition }) => {
  const { source, event_types, app } = definition;
  return source?.transport === 'push' && source.checked === 'webhook' ? [{ app, source, event_types }] : [];
});
/** The names in backticks behind `- Label:`. */
function namesIn(section: string, label: string): string[] {
  const line = section.split('\n').find((each) => each.startsWith(`- ${label}:`)) ?? '';
  return [...line.matchAll(/`([^`]+)`/g)].map(([, name]) => name ?? '');
}

it('every source has its section, and every section its source', () => {
  expect([...sections.keys(), 'gitlab-self-managed'].sort()).toEqual(sources.map(({ app }) => app).sort());
  expect(page).toContain('`gitlab-self-managed`');
});

describe.each(sources)('$app', ({ app, source, event_types }) => {
  const described = app === 'gitlab-self-managed' ? 'gitlab' : app;
  const section = sections.get(described) ?? '';

  it('names its event types and parameters', () => {
    const names = dottedTypes({ app: described, event_types }).map(({ event_type }) => event_type);
    expect(namesIn(section, 'Event types')).toEqual(names);
    const parameters = event_types.flatMap((each) => Object.keys(each.parameters['properties'] as object));
    expect(namesIn(section, 'Parameters')).toEqual([...new Set(parameters)]);
    // Whatever is held against a parameter is one, and the other way round.
    expect(Object.keys(source.match).sort()).toEqual([...new Set(parameters)].sort());
  });

  it('says whose secret it is, how it is verified, and what to do', () => {
    for (const label of ['- Verified by ', '- Handshake: ', '- Id: ', '- Facts: ']) expect(section).toContain(label);
    expect(section).toContain(source.secret === 'ours' ? '- Secret: made here' : '- Secret: shown by the app');
    expect(section).toContain(source.steps.map((step, index) => `${index + 1}. ${step}`).join('\n'));
  });
});
