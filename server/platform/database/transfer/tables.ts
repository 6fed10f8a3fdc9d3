/** The tables of a database, as a transfer copies them: with their rows, partitions and sums. */
import type { Client } from 'pg';

export type Table = { name: string; columns: string[] };
/** `bound`: its rows, in SQL. */
export type Partition = { name: string; parent: string; bound: string };
export type Sum = { rows: string; sum: string };

/** Of the nodes that run now, of their schema, and what they read from code again: they are not copied. */
const LEFT_OUT = ['migrations', 'nodes', 'rate_limits', 'code_documents', 'code_facts'];

/** Tables without partitions of others, each after those that it refers to. */
export async function tablesOf(client: Client): Promise<Table[]> {
  const { rows } = await client.query<Table & { refers_to: string[] }>(
    `select c.relname as name,
       (select array_agg(quote_ident(a.attname) order by a.attnum) from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
       array(select distinct f.confrelid::regclass::text from pg_constraint f
        where f.contype = 'f' and f.conrelid = c.oid and f.confrelid <> c.oid) as refers_to
     from pg_class c where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
       and not c.relispartition and c.relname <> all ($1)
     order by c.relname`,
    [LEFT_OUT],
  );
  const sorted: Table[] = [];
  const left = new Set(rows);
  while (left.size > 0) {
    const next = [...left].find(({ refers_to }) => ![...left].some(({ name }) => refers_to.includes(name)));
    if (!next) throw new Error(`tables refer to each other: ${[...left].map(({ name }) => name).join(', ')}`);
    left.delete(next);
    sorted.push({ name: next.name, columns: next.columns });
  }
  return sorted;
}

export async function partitionsOf(client: Client): Promise<Partition[]> {
  const { rows } = await client.query<Partition>(
    `select c.relname as name, p.relname as parent, pg_get_expr(c.relpartbound, c.oid) as bound
     from pg_inherits i join pg_class c on c.oid = i.inhrelid join pg_class p on p.oid = i.inhparent
     where c.relnamespace = current_schema()::regnamespace and c.relispartition and c.relkind in ('r', 'p')
     order by c.relname`,
  );
  return rows;
}

/** The names of the migrations of the database. */
export async function schemaOf(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>('select name from migrations order by name');
  return rows.map(({ name }) => name);
}

/** The number of rows, and a sum of hashes of their values: equal in any order, and on any server. */
export async function sumOf(client: Client, { name }: Table): Promise<Sum> {
  const { rows } = await client.query<Sum>(
    `select count(*)::text as rows, coalesce(sum(hashtextextended(t::text, 0)::numeric), 0)::text as sum
     from ${client.escapeIdentifier(name)} t`,
  );
  const [sum] = rows;
  if (!sum) throw new Error(`no sum of ${name}`);
  return sum;
}
