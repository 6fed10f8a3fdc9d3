/** What the code of functions defines and uses: read once for each document, found by name. */
import { sql } from 'kysely';
import type { FactKind, SymbolKind } from '../../../contract/states.ts';
import type { Db } from '../../platform/database/schema.ts';

/** Of a definition, with its last line, its kind, what contains it, and whether it is exported. */
export type StoredPlace =
  | [path: string, line: number]
  | [path: string, line: number, end_line: number, kind: SymbolKind, container: string | null, exported: boolean];
export type StoredFact = { kind: FactKind; name: string; version: string | null; places: StoredPlace[] };
export type CodeFacts = { facts: StoredFact[]; isWhole: boolean };

/** Stores the facts of a document that were read by this version of the reader, unless another node has. */
export async function storeFacts(db: Db, code_sha256: string, reader: number, code: CodeFacts): Promise<void> {
  const { facts, isWhole } = code;
  await db.transaction().execute(async (tx) => {
    await sql`delete from code_documents where code_sha256 = ${code_sha256} and reader < ${reader}`.execute(tx);
    await sql`
      with document as (
        insert into code_documents (code_sha256, reader, is_whole)
        select sha256, ${reader}, ${isWhole} from blobs where sha256 = ${code_sha256}
        on conflict (code_sha256) do nothing returning code_id
      )
      insert into code_facts (code_id, kind, name, version, places)
      select document.code_id, fact.kind, fact.name, fact.version, fact.places::jsonb
      from document, unnest(
        ${facts.map(({ kind }) => kind)}::text[], ${facts.map(({ name }) => name)}::text[],
        ${facts.map(({ version }) => version)}::text[], ${facts.map(({ places }) => JSON.stringify(places))}::text[]
      ) as fact (kind, name, version, places)
    `.execute(tx);
  });
}

export async function isRead(db: Db, code_sha256: string, reader: number): Promise<boolean> {
  const { rows } = await sql`
    select from code_documents where code_sha256 = ${code_sha256} and reader >= ${reader}
  `.execute(db);
  return rows.length > 0;
}

/** Documents of functions that were not read yet, or by an earlier reader. */
export async function unreadCode(db: Db, reader: number, limit: number): Promise<string[]> {
  const { rows } = await sql<{ code_sha256: string }>`
    select distinct v.code_sha256 from function_versions v join blobs b on b.sha256 = v.code_sha256
    where not exists (
      select from code_documents d where d.code_sha256 = v.code_sha256 and d.reader >= ${reader})
    limit ${limit}
  `.execute(db);
  return rows.map(({ code_sha256 }) => code_sha256);
}

/** Whose functions: those of an account, or the PUBLIC ones; in all versions, or in the live one. */
export type FactScope = { account_id: string | undefined; isHistory: boolean };

const versionsIn = ({ account_id, isHistory }: FactScope) => sql`
  select v.code_sha256 from function_versions v join functions f using (account_id, function_id)
  where ${account_id === undefined ? sql`f.visibility = 'PUBLIC'` : sql`f.account_id = ${account_id}`}
    ${isHistory ? sql`` : sql`and v.version = f.version`}
`;

/** Whether facts of a document in the scope are not stored, or not all. */
export async function isIncomplete(db: Db, scope: FactScope): Promise<boolean> {
  const { rows } = await sql`
    select from (${versionsIn(scope)}) as code left join code_documents d using (code_sha256)
    where d.is_whole is not true limit 1
  `.execute(db);
  return rows.length > 0;
}

export type FoundFact = { code_sha256: string; name: string; version: string | null; places: StoredPlace[] };

/** The facts whose name is like this, in lower case, with `*` for any text; hosts also with a port. */
export async function findFacts(
  db: Db,
  scope: FactScope,
  { kind, part }: { kind: FactKind; part: string },
  limit: number,
): Promise<FoundFact[]> {
  const like = part.replace(/[\\%_]/g, '\\$&').replaceAll('*', '%');
  const isLike =
    kind === 'host'
      ? sql`(lower(name) like ${like} or lower(name) like ${`${like}:%`})`
      : sql`lower(name) like ${like}`;
  const { rows } = await sql<FoundFact>`
    select d.code_sha256, c.name, c.version, c.places
    from code_facts c join code_documents d using (code_id)
    where c.kind = ${kind} and ${isLike} and d.code_sha256 in (${versionsIn(scope)})
    limit ${limit}
  `.execute(db);
  return rows;
}
