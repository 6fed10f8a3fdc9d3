/** The location of a PostgreSQL server: the embedded one by its socket, any other by its URL. */
export type Connection =
  | { host: string; user: string; database: string }
  /** `options` are the server settings that were in the URL. */
  | { connectionString: string; options: string };
