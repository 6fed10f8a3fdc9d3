import type { z } from 'zod';
import { CONNECTION_GATEWAY, ConnectionGateway } from '../../../contract/gateway/app-gateway.ts';
import { parseExactly } from '../../../contract/text/exact-json.ts';
import type { GatewayDefinition } from '../apps/definition.ts';

/** What applies to calls that do not ask otherwise: the connection's options, else those of the app. */
export type CallOptions = {
  /** The name of a further host; undefined for the host of the base URL. */
  host: string | undefined;
  rewriteLinks: boolean;
  /** Paths of URLs in JSON responses. */
  jsonLinks: readonly (readonly string[])[];
  /** Timeout for the response headers; undefined for that of the installation. */
  answerMs: number | undefined;
};

/** `metadata`: that of the connection, as stored. Options that an older version stored for itself are ignored. */
export function callOptionsOf(app: GatewayDefinition, metadata: string): CallOptions {
  const own = connectionGateway(metadata);
  const seconds = own.answer_seconds ?? app.answer_seconds;
  return {
    host: own.host,
    rewriteLinks: own.rewrite_links ?? app.rewrite_links,
    jsonLinks: app.json_links.map(segmentsOf),
    answerMs: seconds === null ? undefined : seconds * 1000,
  };
}

/** `\.` is a dot in a name. */
const segmentsOf = (path: string) => path.split(/(?<!\\)\./).map((name) => name.replaceAll('\\.', '.'));

function connectionGateway(metadata: string): z.output<typeof ConnectionGateway> {
  if (!metadata.includes(CONNECTION_GATEWAY)) return {};
  const all = parseExactly(metadata) as Record<string, unknown>;
  return ConnectionGateway.safeParse(all[CONNECTION_GATEWAY]).data ?? {};
}
