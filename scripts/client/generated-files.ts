import { openApiDocument } from '../../server/http/openapi/openapi.ts';
import { type ClientDocument, clientRoutes, clientTypes } from './client-types.ts';

/** The generated files of the client by name. Addresses of an installation do not occur in them. */
export function generatedFiles(): Record<string, string> {
  const url = 'http://localhost:4400';
  const document = openApiDocument(
    {
      console_url: url,
      base_url: `${url}/api`,
      connect_url: `${url}/connect`,
      hooks_url: `${url}/hooks`,
      functions_domain: 'fn.localhost:4400',
      functions_scheme: 'http',
      gateway_domain: 'gw.localhost:4400',
    },
    '0.1.0',
  ) as unknown as ClientDocument;
  return { 'operations.d.ts': clientTypes(document), 'operations.js': clientRoutes(document) };
}
