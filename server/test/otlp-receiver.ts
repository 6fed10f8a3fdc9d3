/** A collector that keeps the spans it receives: OTLP in JSON over HTTP. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type ReceivedSpan = {
  name: string;
  kind: number;
  traceId: string;
  spanId: string;
  parentSpanId: string | undefined;
  isError: boolean;
  facts: Record<string, string | number>;
};
type Attributes = { key: string; value: { stringValue?: string; intValue?: number | string } }[];
type Exported = {
  resourceSpans: {
    resource: { attributes: Attributes };
    scopeSpans: {
      spans: (Omit<ReceivedSpan, 'facts' | 'isError'> & { attributes: Attributes; status: { code?: number } })[];
    }[];
  }[];
};

export type OtlpReceiver = {
  url: string;
  spans: ReceivedSpan[];
  requests: { path: string; headers: IncomingHttpHeaders; text: string }[];
  close(): Promise<void>;
};

const factsOf = (attributes: Attributes) =>
  attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)] as const);

/** `answer` ends the response; 200 by default. */
export async function startOtlpReceiver(
  answer: (res: ServerResponse) => void = (res) => res.writeHead(200).end('{}'),
): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = [];
  const requests: OtlpReceiver['requests'] = [];
  const server = createServer(async (req, res) => {
    let text = '';
    for await (const chunk of req.setEncoding('utf8')) text += chunk;
    requests.push({ path: req.url ?? '', headers: req.headers, text });
    for (const { resource, scopeSpans } of (JSON.parse(text) as Exported).resourceSpans)
      for (const { attributes, status, ...span } of scopeSpans.flatMap((scope) => scope.spans)) {
        const facts = Object.fromEntries([...factsOf(resource.attributes), ...factsOf(attributes)]);
        spans.push({ ...span, isError: status.code === 2, facts });
      }
    answer(res);
  });
  await new Promise<void>((ok) => server.listen(0, '127.0.0.1', ok));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    spans,
    requests,
    async close() {
      server.closeAllConnections();
      await new Promise((ok) => server.close(ok));
    },
  };
}
