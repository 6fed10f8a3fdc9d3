/** What the code of functions defines and uses: read once for each document, found by name. */
import { sql } from 'kysely';
import type { FactKind, SymbolKind } from '../../../contract/states.ts';
import { likeText } from '../../platform/database/like.ts';
import { PREPARED } from '../../platform/database/prepared.ts';
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

/**
 * Whose functions: those of an account, or the PUBLIC ones; in all versions, or in the live one. With `code_sha256`, only
 * that document.
 */
export type FactScope = { account_id: string | undefined; isHistory: boolean; code_sha256?: string | undefined };

const versionsIn = ({ account_id, isHistory, code_sha256 }: FactScope, since?: string) =>
  code_sha256 === undefined
    ? allVersions({ account_id, isHistory }, since)
    : sql`select ${code_sha256}::text as code_sha256`;

/** `since`: only those of functions that were changed from this position of the change log on. */
const allVersions = ({ account_id, isHistory }: FactScope, since?: string) => sql`
  select v.code_sha256 from function_versions v join functions f using (account_id, function_id)
  ${since === undefined ? sql`` : sql`join function_changes c using (account_id, function_id)`}
  where ${account_id === undefined ? sql`f.visibility = 'PUBLIC'` : sql`f.account_id = ${account_id}`}
    ${isHistory ? sql`` : sql`and v.version = f.version`}
    ${since === undefined ? sql`` : sql`and c.xid >= ${since}::text::xid8`}
`;

export type Gap = 'UNREAD' | 'CUT' | undefined;

/**
 * Whether a document in the scope was not read yet (UNREAD), or its facts are not all stored (CUT); with `since`, only of
 * functions that were changed from there on. `position`: that of the change log at this time.
 */
export async function findGap(db: Db, scope: FactScope, since?: string): Promise<{ gap: Gap; position: string }> {
  const { rows } = await sql<{ gap: 'UNREAD' | 'CUT' | null; position: string }>`
    select pg_snapshot_xmin(pg_current_snapshot())::text as position, (
      select case when d.code_id is null then 'UNREAD' else 'CUT' end as gap
      from (${versionsIn(scope, since)}) as code left join code_documents d using (code_sha256)
      where d.is_whole is not true order by gap desc limit 1) as gap
  `.execute(db);
  return { gap: rows[0]?.gap ?? undefined, position: rows[0]?.position ?? '0' };
}

export type FoundFact = { code_sha256: string; name: string; version: string | null; places: StoredPlace[] };

/** The facts whose name is like this, in lower case, with `*` for any text; hosts also with a port. */
export async function findFacts(
  db: Db,
  scope: FactScope,
  { kind, part }: { kind: FactKind; part: string },
  limit: number,
): Promise<FoundFact[]> {
  const like = likeText(part).replaceAll('*', '%');
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

export type StoredSymbol = {
  name: string;
  places: [string, number, end_line: number, kind: SymbolKind, container: string | null, exported: boolean];
};

/** The definitions of a document, one for each place. */
export async function symbolsOf(db: Db, code_sha256: string): Promise<{ isWhole: boolean; symbols: StoredSymbol[] }> {
  const { rows } = await sql<{ is_whole: boolean; symbols: StoredSymbol[] | null }>`
    select d.is_whole, (
      select json_agg(json_build_object('name', c.name, 'places', place))
      from code_facts c cross join jsonb_array_elements(c.places) as place
      where c.code_id = d.code_id and c.kind = 'symbol') as symbols
    from code_documents d where d.code_sha256 = ${code_sha256}
  `.execute(db);
  return { isWhole: rows[0]?.is_whole ?? false, symbols: rows[0]?.symbols ?? [] };
}

/** The versions of a function that define a name, in ascending order; optionally only those that others may read. */
export async function versionsWith(
  db: Db,
  { account_id, function_id }: { account_id: string; function_id: string },
  name: string,
  isPublicOnly: boolean,
): Promise<number[]> {
  const { rows } = await sql<{ version: number }>`
    select v.version from functions f join function_versions v using (account_id, function_id)
    join code_documents d using (code_sha256)
    where f.account_id = ${account_id} and f.function_id = ${function_id}
      ${isPublicOnly ? sql`and (v.is_public or v.version = f.version)` : sql``}
      and exists (select from code_facts c where c.code_id = d.code_id and c.kind = 'symbol' and c.name = ${name})
    order by v.version
  `.execute(db);
  return rows.map(({ version }) => version);
}

/** The documents of the live versions of these functions that were read. */
export async function liveDocuments(
  db: Db,
  function_ids: string[],
): Promise<{ function_id: string; code_id: string }[]> {
  const { rows } = await sql<{ function_id: string; code_id: string }>`${PREPARED}
    select f.function_id, d.code_id
    from functions f join function_versions v using (account_id, function_id) join code_documents d using (code_sha256)
    where f.function_id = any (${function_ids}::uuid[]) and v.version = f.version
  `.execute(db);
  return rows;
}

export type FactName = { code_id: string; kind: FactKind; value: string };

/** What these documents define and use, each once: packages, hosts and variables; of definitions, their kinds. */
export async function factNames(db: Db, code_ids: string[]): Promise<FactName[]> {
  const { rows } = await sql<FactName>`${PREPARED}
    select distinct code_id, kind, case when kind = 'symbol' then places -> 0 ->> 3 else name end as value
    from code_facts where code_id = any (${code_ids}::bigint[])
  `.execute(db);
  return rows;
}
