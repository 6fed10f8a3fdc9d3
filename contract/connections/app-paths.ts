/** The requests that an app's API has, as its OpenAPI document lists them. Suggested when a request is written. */
import { z } from 'zod';

export const APP_PATHS_MAX = 2_000;

/** One operation of an API. `path` is relative to the base URL, with `{placeholders}`. */
export const AppPath = z.strictObject({
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']),
  path: z
    .string()
    .max(500, 'expected at most 500 characters')
    .regex(/^\/[\x21-\x7e]*$/, 'expected a path that starts with /, without spaces'),
  operation_id: z.string().max(200, 'expected at most 200 characters').nullable().default(null),
  summary: z.string().max(200, 'expected at most 200 characters').nullable().default(null),
});

export const AppPaths = z.array(AppPath).max(APP_PATHS_MAX, `expected at most ${APP_PATHS_MAX} paths`);
