import type { DocumentSchema } from '../../../contract/text/example-of.ts';
import { openApiDocument } from './openapi.ts';

export type Parameter = { name: string; in: string; description?: string; schema: DocumentSchema };
type Content = { schema: DocumentSchema; example?: unknown; examples?: unknown };
export type Described = {
  operationId: string;
  description: string;
  tags: string[];
  parameters: (Parameter | { $ref: string })[];
  requestBody?: { content: { 'application/json': Content } };
  responses: Record<string, unknown>;
};
export type TestDocument = {
  paths: Record<string, Record<string, Described>>;
  tags: { name: string }[];
  components: {
    schemas: Record<string, DocumentSchema>;
    parameters: Record<string, Parameter>;
    responses: Record<string, { description: string; content: Record<string, Content> }>;
  };
};

/** The document of an installation, for tests. */
export const testDocument = (isPublic = false): TestDocument =>
  openApiDocument(
    {
      console_url: 'https://sluice.internal',
      base_url: 'https://sluice.internal/api',
      connect_url: 'https://sluice.internal/connect',
      hooks_url: 'https://sluice.internal/hooks',
      functions_domain: 'fn.sluice.internal',
      functions_scheme: 'https',
      gateway_domain: 'gw.sluice.internal',
    },
    '0.0.0-test',
    isPublic,
  ) as TestDocument;
