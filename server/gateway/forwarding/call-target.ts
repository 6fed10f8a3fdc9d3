/** What the URL of a call names: an app, or with a host of the gateway's domain also a connection. */
export type CallTarget = {
  /** Null: the app of the connection. */
  app: string | null;
  connection_id?: string | undefined;
  /** One of the app's further hosts, by its name. */
  host?: string | undefined;
  /** The raw path and query below the app's base URL. */
  rest: string;
  /** Whether the app is named by the host, so that paths begin at the root as at the app. */
  byHost: boolean;
  /** The URL before `/<app>`, if it is not the API's. */
  base?: string | undefined;
};

/** A place of a request in which a client sends a credential; names of headers are in lower case. */
export type KeyPlace = { in: 'header' | 'query'; name: string };
