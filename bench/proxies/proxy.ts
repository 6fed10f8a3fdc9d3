/** Settings and API key check of the small proxies, which replace the caller's key with another. */
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
