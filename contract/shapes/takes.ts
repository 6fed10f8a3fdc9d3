/** The schemas of one operation. */
import { z } from 'zod';

export type Shape = { params: z.ZodObject; query: z.ZodType; body: z.ZodType | null; reply: z.ZodType };
type Given = { params?: z.ZodObject; query?: z.ZodType; body?: z.ZodType; reply: z.ZodType };

const none = z.object({});
/** Completes the schemas of an operation: without parameters, query or body unless given. */
export function takes<const G extends Given>(given: G) {
  return { params: none, query: none, body: null, ...given } as {
    params: G extends { params: infer P } ? P : typeof none;
    query: G extends { query: infer Q } ? Q : typeof none;
    body: G extends { body: infer B } ? B : null;
    reply: G['reply'];
  };
}
