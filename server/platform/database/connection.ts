/** How to reach a PostgreSQL server: the embedded one by its socket, any other by its address. */
export type Connection =
  | { host: string; user: string; database: string }
  /** `options` are the server settings that were in the URL. */
  | { connectionString: string; options: string };
