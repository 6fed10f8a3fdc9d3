/** What the small proxies that are beside this service have to do: check the key and insert another. */
import type { IncomingMessage, ServerResponse } from 'node:http';

export const KEY = 'Bearer slc_keyOfTheSpawnedService0123456789';
export const CREDENTIAL = 'Bearer upstream-secret';

const [, , port = '0', upstream = ''] = process.argv;
export const PORT = Number(port);
export const UPSTREAM = upstream;

export function isAllowed(req: IncomingMessage, res: ServerResponse): boolean {
  if (req.headers.authorization === KEY) return true;
  res.writeHead(401).end();
  return false;
}
