import type { z } from 'zod';
import type { AppCreate } from '../../contract/apps.ts';
import { type AppDefinition, defineApp, type FieldDefinition, secret, text } from './definition.ts';
import { placeholders } from './template.ts';

/** One label of a host's name, so that a value can't name another host, port or path. */
const LABEL = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';

/** The definition of an app that an account adds. Placeholders of its base address become fields to fill in. */
export function customApp(body: z.output<typeof AppCreate>): AppDefinition {
  const [{ place }] = body.methods as [(typeof body.methods)[number]];
  const names = [...new Set(placeholders(body.base_url))].filter((name) => name !== 'api_key');
  const fields: FieldDefinition[] = [
    ...names.map((name) => text(name, labelOf(name), `Fills {${name}} in ${body.base_url}`, LABEL)),
    secret('api_key', 'API key', null),
  ];
  return defineApp({
    app: body.app,
    name: body.name,
    description: '',
    category: 'custom',
    base_url: body.base_url,
    docs_url: body.docs_url ?? null,
    methods: [{ method: 'API_KEY', fields, put: [place] }],
  });
}

const labelOf = (name: string) => name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ');
