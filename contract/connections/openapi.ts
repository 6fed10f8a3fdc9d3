/** A custom app drafted from an OpenAPI document. */
import { z } from 'zod';
import { AppCreate } from '../apps.ts';
import { WebUrl } from '../fields.ts';
import { OPENAPI_MAX_BYTES } from '../limits.ts';
import { AppPaths } from './app-paths.ts';

const MAX_MB = OPENAPI_MAX_BYTES / 1024 / 1024;

/** The document: the URL to read it from, or its text. OpenAPI 3 or Swagger 2.0, JSON or YAML. */
export const AppDraftCreate = z
  .strictObject({
    url: WebUrl.optional(),
    document: z
      .string()
      .min(1, 'expected a document')
      .max(OPENAPI_MAX_BYTES, `expected at most ${MAX_MB} MB`)
      .optional(),
  })
  .refine(({ url, document }) => (url === undefined) !== (document === undefined), {
    message: 'expected either url or document',
    path: ['document'],
  });

export const AppDraft = z.object({
  /** Such as `OpenAPI 3.1.0`. */
  format: z.string(),
  /** Fields of `POST /apps`, to be completed and checked by the user. `methods` may be empty. */
  app: z.object({
    name: z.string(),
    base_url: z.string().nullable(),
    docs_url: z.string().nullable(),
    probe: AppCreate.shape.probe.unwrap(),
    methods: z.array(AppCreate.shape.methods.element),
    paths: AppPaths,
  }),
  /** Base URLs that the document lists, as templates. The first is `base_url`. */
  servers: z.array(z.object({ url: z.string(), description: z.string().nullable() })),
  /** Operations in the document; `paths` has the first 2,000. */
  operations: z.int(),
  /** What was left out or assumed, with the position in the document. */
  notes: z.array(z.object({ at: z.string(), message: z.string() })),
});
