/** Inserts functions and their code as deploys would leave them, without the time for builds and disk writes. */
import { createHash, randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import { READER, storedFrom } from '../../server/functions/facts/code-reader.ts';
import { toBundle } from '../../server/functions/versions/bundle.ts';
import { readFacts } from '../../server/runtime/facts/read-facts.ts';

const AT_ONCE = 1000;

/** Inserts public functions of the only account. Few of them have many stars. */
export async function fill(client: Client, pieces: string[]): Promise<void> {
  const { rows } = await client.query<{ account_id: string }>('select account_id from accounts limit 1');
  for (let from = 0; from < pieces.length; from += AT_ONCE) {
    const made = pieces.slice(from, from + AT_ONCE).map((piece, at) => functionOf(piece, from + at));
    await client.query(
      `with made as (
        insert into functions (account_id, function_id, name, label, description, runtime, visibility, invoke_access,
          network_policy, allowed_hosts, timeout_seconds, version, last_version, star_count, created_at, updated_at)
        select $1, id, name, label, text, 'nodejs24.x', 'PUBLIC', 'KEY', 'ALLOW_ALL', '[]', 10, 1, 1, stars, now(), now()
        from json_to_recordset($2) as given (id uuid, name text, label text, text text, stars integer)),
      stored as (
        insert into blobs (sha256, size, bytes) select sha256, size, convert_to(bundle, 'UTF8')
        from json_to_recordset($2) as given (sha256 text, size integer, bundle text) on conflict do nothing)
      insert into function_versions (account_id, function_id, version, handler, runtime, code_sha256, code_size,
        build_sha256, map_sha256, created_by, created_at)
      select $1, id, 1, 'index.default', 'nodejs24.x', sha256, size, sha256, sha256, 'bench', now()
      from json_to_recordset($2) as given (id uuid, sha256 text, size integer)`,
      [rows[0]?.account_id, JSON.stringify(made)],
    );
  }
  await client.query('vacuum analyze functions, function_versions');
}

/** Reads what the code defines and uses, as deploys do: otherwise the service would read it during the measurements. */
export async function fillFacts(client: Client, pieces: string[]): Promise<void> {
  for (let from = 0; from < pieces.length; from += AT_ONCE) {
    const documents = pieces.slice(from, from + AT_ONCE).map((piece) => {
      const files = filesOf(piece);
      const { facts, isWhole } = storedFrom(readFacts(files));
      return { sha256: shaOf(toBundle(files)), is_whole: isWhole, facts };
    });
    await client.query(
      `with given as (
        select * from json_to_recordset($1) as given (sha256 text, is_whole boolean, facts json)),
      document as (
        insert into code_documents (code_sha256, reader, is_whole) select distinct on (sha256) sha256, $2::integer, is_whole from given
        on conflict do nothing returning code_id, code_sha256)
      insert into code_facts (code_id, kind, name, version, places)
      select document.code_id, fact.kind, fact.name, fact.version, fact.places
      from document join given on given.sha256 = document.code_sha256,
        json_to_recordset(given.facts) as fact (kind text, name text, version text, places jsonb)`,
      [JSON.stringify(documents), READER],
    );
  }
  await client.query('vacuum analyze code_documents, code_facts');
}

const filesOf = (piece: string) => ({ 'index.ts': piece });
const shaOf = (bundle: Buffer) => createHash('sha256').update(bundle).digest('hex');

function functionOf(piece: string, number: number) {
  const bundle = toBundle(filesOf(piece));
  const sha256 = shaOf(bundle);
  const words = piece.slice(0, 2000).match(/[A-Za-z]{4,}/g) ?? [];
  return {
    id: randomUUID(),
    name: words.slice(0, 3).join(' ').slice(0, 100) || 'function',
    label: `f${number}`,
    text: words.slice(3, 12).join(' ').slice(0, 500),
    stars: starsOf(number),
    sha256,
    size: bundle.length,
    bundle: bundle.toString(),
  };
}

/** Stars of a function, the same in every run. */
export const starsOf = (number: number): number => Math.floor(1000 / (1 + ((number * 7919) % 10_007)));
