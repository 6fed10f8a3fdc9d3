import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { PAGE } from '../../../contract/limits.ts';
import { operations } from '../../../contract/operations.ts';
import { operationNames, routes } from '../../../contract/routes.ts';
import { ALWAYS } from './openapi-errors.ts';
import type { JsonSchema } from './openapi-schema.ts';
import { type Parameter, testDocument } from './test-document.ts';

const require = createRequire(import.meta.url);

const document = testDocument();
const described = Object.values(document.paths).flatMap((path) => Object.values(path));
const find = (operation: string) => described.find(({ operationId }) => operationId === operation);
const resolved = (each: Parameter | { $ref: string }): Parameter =>
  '$ref' in each ? (document.components.parameters[each.$ref.split('/').at(-1) ?? ''] as Parameter) : each;
const parameterOf = (operation: string, name: string) =>
  find(operation)
    ?.parameters.map(resolved)
    .find((each) => each.name === name);

const folder = mkdtempSync(join(tmpdir(), 'sluice-openapi-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs Redocly's linter on a document with the recommended rules, without telemetry and update check. */
async function lint(text: unknown): Promise<{ ruleId: string; message: string; severity: string }[]> {
  const [file, config] = [join(folder, 'openapi.json'), join(folder, 'redocly.yaml')];
  writeFileSync(file, JSON.stringify(text));
  writeFileSync(config, 'extends: [recommended]\ntelemetry: "off"\n');
  const cli = join(dirname(require.resolve('@redocly/cli/package.json')), 'bin/cli.js');
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [cli, 'lint', '--config', config, '--format', 'json', file],
    { cwd: folder, env, maxBuffer: 64 * 1024 * 1024 },
  ).catch((error: { stdout: string }) => error);
  return (JSON.parse(stdout) as { problems: { ruleId: string; message: string; severity: string }[] }).problems;
}

describe('the OpenAPI document', () => {
  it('passes Redocly’s recommended rules', async () => {
    expect(await lint(document)).toEqual([]);
  });

  it('fails the rules if a parameter can’t be satisfied', async () => {
    const broken = structuredClone(document);
    Object.assign(broken.components.parameters['history']?.schema ?? {}, { enum: ['true', 'false'] });
    expect((await lint(broken)).map(({ ruleId }) => ruleId)).toContain('no-enum-type-mismatch');
  });

  it('is accepted by generators of clients: distinct class names, and schemas where they expect some', () => {
    const classes = Object.keys(document.components.schemas).map((name) =>
      name.replace(/[^a-z0-9]/gi, '').toLowerCase(),
    );
    expect(classes.filter((name, index) => classes.indexOf(name) !== index)).toEqual([]);
    expect(JSON.stringify(document)).not.toMatch(/"items":(?:true|false)/);
  });

  it('says whether the console shows the reference without a session', () => {
    const { info } = testDocument() as unknown as { info: object };
    expect(info).not.toHaveProperty('x-public');
    expect((testDocument(true) as unknown as { info: object }).info).toHaveProperty('x-public', true);
  });

  it('has no pattern and no enum for integers and booleans', () => {
    const bad: string[] = [];
    const visit = (value: unknown, path: string) => {
      if (typeof value !== 'object' || value === null) return;
      const { type, pattern, enum: values } = value as JsonSchema;
      if ((type === 'integer' || type === 'boolean') && (pattern !== undefined || Array.isArray(values)))
        bad.push(path);
      for (const [name, each] of Object.entries(value)) visit(each, `${path}/${name}`);
    };
    visit(document, '');
    expect(bad).toEqual([]);
    expect(parameterOf('functionSearch', 'history')?.schema).toEqual({ type: 'boolean', examples: [true] });
  });

  it('describes the default of a limit, and has no stricter bounds than the service', () => {
    const limits = described.flatMap(({ operationId, parameters }) =>
      parameters.map(resolved).flatMap((each) => (each.name === 'limit' ? [{ operationId, ...each }] : [])),
    );
    expect(limits.length).toBeGreaterThan(10);
    for (const { operationId, schema, description } of limits) {
      expect(description, operationId).toMatch(
        /^Items per page, at most (\d+): a larger value is read as \1, 0 as \d+\./,
      );
      // Without a limit, connections are returned in one list.
      const more = operationId === 'connectionList' ? {} : { default: expect.any(Number) };
      expect(schema, operationId).toEqual({ type: 'integer', minimum: 0, examples: [20], ...more });
    }
    expect(parameterOf('functionSearch', 'limit')?.schema['default']).toBe(PAGE.search.default);
    expect(parameterOf('functionSearch', 'context')?.schema).toMatchObject({ maximum: 10, default: 0 });
  });

  it('has the same defaults as the operations', () => {
    for (const name of operationNames) {
      const query = operations[name].query as z.ZodObject;
      for (const parameter of Object.keys(query.shape)) {
        const found = parameterOf(name, parameter)?.schema;
        if (!found || !('default' in found) || found['default'] === '{}') continue;
        const one = z.object({ [parameter]: query.shape[parameter] as z.ZodType });
        const [absent, given] = [one.safeParse({}), one.safeParse({ [parameter]: String(found['default']) })];
        expect(given.success, `${name} ${parameter}`).toBe(true);
        // The verb applies the default if the schema leaves the parameter undefined.
        if (absent.data?.[parameter] !== undefined) expect(absent.data, `${name} ${parameter}`).toEqual(given.data);
      }
    }
  });

  it('describes every operation, its tag, its errors and its Idempotency-Key', () => {
    const tags = document.tags.map(({ name }) => name);
    for (const { operationId, description, tags: own, responses, parameters } of described) {
      expect(description, operationId).toMatch(/\.$/);
      expect(tags, operationId).toEqual(expect.arrayContaining(own));
      expect(Object.keys(responses), operationId).toEqual(expect.arrayContaining(['200', '400', 'default']));
      expect(document.components.responses['default']?.description).toContain(`**${ALWAYS.at(-1)} `);
      const route = routes[operationId as keyof typeof routes];
      const takesKey = parameters.some((each) => '$ref' in each && each.$ref.endsWith('/Idempotency-Key'));
      expect(takesKey, operationId).toBe(route.method === 'POST' && route.auth === 'account');
    }
  });
});
