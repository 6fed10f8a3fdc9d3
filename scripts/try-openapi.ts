/**
 * Drafts an app from every OpenAPI document of a folder, and prints a table: `node scripts/try-openapi.ts FOLDER`.
 * Documents of vendors are in their repositories and in some of their packages; none is stored here.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AppCreate } from '../contract/apps.ts';
import { UnreadableDocument } from '../server/connections/openapi/document.ts';
import { draftOf } from '../server/connections/openapi/draft.ts';

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('expected a folder: node scripts/try-openapi.ts FOLDER');

console.log('| document | format | base URL | methods | test request | operations | notes | ms |');
console.log('|---|---|---|---|---|---|---|---|');
for (const file of readdirSync(folder).sort()) {
  if (!/\.(?:json|ya?ml)$/.test(file)) continue;
  const text = readFileSync(join(folder, file), 'utf8');
  const start = performance.now();
  try {
    const { format, app, operations, notes, openId } = draftOf(text, undefined);
    const ms = Math.round(performance.now() - start);
    const valid = app.methods.filter((method) => AppCreate.shape.methods.element.safeParse(method).success);
    const methods = [...valid.map(({ method }) => method), ...(openId ? ['OpenID Connect'] : [])].join(', ') || 'none';
    const cells = [
      file,
      format,
      app.base_url ?? 'none',
      methods,
      app.probe?.path ?? 'none',
      operations,
      notes.length,
      ms,
    ];
    console.log(`| ${cells.join(' | ')} |`);
    if (process.argv.includes('--notes')) for (const { at, message } of notes) console.log(`    ${at}: ${message}`);
  } catch (error) {
    if (!(error instanceof UnreadableDocument)) throw error;
    console.log(`| ${file} | ${error.message} | | | | | | |`);
  }
}
