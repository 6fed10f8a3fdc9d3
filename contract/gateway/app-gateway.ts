/** How the gateway calls an app: further hosts, links to rewrite, timeout. */
import { z } from 'zod';
import { WebUrl } from '../fields.ts';

/** The name of a further host. `main` is the host of the base URL. */
export const HostName = z
  .string()
  .regex(/^(?!main$)[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?$/, 'expected the name of a host such as upload, not main');
/** Path of URLs in a JSON response: names of members, `*` for all items; a dot in a name is written `\.`. */
export const JsonPath = z
  .string()
  .max(200)
  .regex(/^[^.\s]+(?:\.[^.\s]+){0,9}$/, 'expected a path such as links.next, or items.*.url');
export const AnswerSeconds = z.int().min(1).max(3600);

export const AppGateway = z.strictObject({
  /** Base URLs by name, called with the same credentials. */
  hosts: z
    .record(HostName, WebUrl)
    .refine((hosts) => Object.keys(hosts).length <= 20, 'expected at most 20 hosts')
    .default({}),
  /** Whether pages of lists are linked in the header `Link`. For clients: the gateway does not depend on it. */
  link_header: z.boolean().default(false),
  /** URLs in JSON responses that are rewritten with the links. */
  json_links: z.array(JsonPath).max(20, 'expected at most 20 paths').default([]),
  /** Whether links are rewritten if a request does not ask otherwise. */
  rewrite_links: z.boolean().default(false),
  /** Timeout for the response headers; null for that of the installation. */
  answer_seconds: AnswerSeconds.nullable().default(null),
  /**
   * For an app that answers with a 2xx status and an error: the path of the JSON response that has the value `success`
   * after a success, and the path of the error. Deliveries to a connection then fail.
   */
  failure: z
    .strictObject({
      path: JsonPath,
      success: z.union([z.boolean(), z.int().min(-1_000_000_000).max(1_000_000_000), z.string().max(200)]),
      error: JsonPath.nullable().default(null),
    })
    .nullable()
    .default(null),
});

/** The same for one connection: the member `gateway_options` of its metadata. */
export const ConnectionGateway = z.strictObject({
  /** The host of calls that name none. */
  host: HostName.optional(),
  rewrite_links: z.boolean().optional(),
  answer_seconds: AnswerSeconds.optional(),
});
export const CONNECTION_GATEWAY = 'gateway_options';
