/** What a database server must be and do, found out before anything is written to it. */
import { Client } from 'pg';
import type { Connection } from './connection.ts';
import { Refusal } from './refusal.ts';

/** The oldest supported server version. */
const OLDEST_SERVER = 150_000;
const CONNECT_MS = 10_000;
/** A setting of the session, which a connection pooler does not pass on. */
const SESSION = 'sluice.session';

type Facts = {
  number: number;
  version: string;
  encoding: string;
  recovery: boolean;
  read_only: string;
  session: string | null;
};

/** Throws a Refusal if the service can't use this server. */
export async function refuseUnfitServer(connection: Connection): Promise<void> {
  const client = new Client({
    ...connection,
    application_name: 'sluice start',
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: CONNECT_MS,
    options: `${'options' in connection ? connection.options : ''} -c ${SESSION}=direct`.trim(),
  });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<Facts>(`
      select current_setting('server_version_num')::int as number, current_setting('server_version') as version,
        current_setting('server_encoding') as encoding, pg_is_in_recovery() as recovery,
        current_setting('default_transaction_read_only') as read_only, current_setting('${SESSION}', true) as session
    `);
    if (rows[0]) refuseFacts(rows[0]);
  } catch (error) {
    throw refusalOf(error) ?? error;
  } finally {
    await client.end().catch(() => {});
  }
}

function refuseFacts({ number, version, encoding, recovery, read_only, session }: Facts): void {
  if (number < OLDEST_SERVER)
    throw new Refusal(
      `The server at DATABASE_URL is PostgreSQL ${version}, and Sluice needs 15 or later.`,
      'Set DATABASE_URL to a newer server, or leave it unset to use the one that comes with Sluice.',
    );
  if (session !== 'direct') throw pooled();
  if (recovery)
    throw new Refusal(
      'The server at DATABASE_URL is a standby, or is still recovering, so it accepts no writes.',
      'Set DATABASE_URL to the primary server, or start again when the recovery is complete.',
    );
  if (read_only === 'on')
    throw new Refusal(
      'The database at DATABASE_URL is read-only (default_transaction_read_only is on).',
      'Turn that setting off for this database and user.',
    );
  if (encoding !== 'UTF8')
    throw new Refusal(
      `The database at DATABASE_URL has the encoding ${encoding}, and Sluice needs UTF8.`,
      "Create one with: create database sluice encoding 'UTF8' template template0",
    );
}

const pooled = () =>
  new Refusal(
    'DATABASE_URL leads to a connection pooler, such as PgBouncer, which does not pass on the settings of a session.',
    'Set DATABASE_URL to the PostgreSQL server itself. Each node has its own pool, limited by SLUICE_DATABASE_POOL.',
  );

/** By the codes of PostgreSQL and of the system. Undefined for errors that explain themselves. */
function refusalOf(error: unknown): Refusal | undefined {
  if (error instanceof Refusal || !(error instanceof Error)) return undefined;
  const { code } = error as { code?: string };
  const refusal = (message: string, hint: string) => new Refusal(message, hint, { cause: error });
  if (/unsupported startup parameter/.test(error.message)) return pooled();
  switch (code) {
    case '53300':
      return refusal(
        'The database has no connection left for this node.',
        'Raise max_connections of the server, or lower SLUICE_DATABASE_POOL; docs/reference/operating.md has the number of each node.',
      );
    case '28P01':
    case '28000':
      return refusal(
        'The database rejects the user or the password of DATABASE_URL.',
        'Correct DATABASE_URL, or let the user in (pg_hba.conf).',
      );
    case '3D000':
      return refusal('The database that DATABASE_URL names does not exist.', 'Create it, or correct DATABASE_URL.');
    case '57P03':
      return refusal('The database server is starting or stopping.', 'Start again when it accepts connections.');
    case 'ECONNREFUSED':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EHOSTUNREACH':
    case 'ETIMEDOUT':
      return refusal(
        `The database server at DATABASE_URL can’t be reached (${code}).`,
        'Check its host and port, and whether it is running.',
      );
    default:
      return undefined;
  }
}
