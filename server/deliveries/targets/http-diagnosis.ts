/**
 * Diagnoses a URL step by step, as a connection would be made, up to the first step that fails. Leaf: knows no nouns.
 */
import net from 'node:net';
import tls from 'node:tls';
import type { Agent } from 'undici';
import type { EgressPolicy } from '../../platform/egress/egress.ts';

export type ExaminationStep = {
  step: 'DNS' | 'ADDRESS' | 'CONNECT' | 'TLS' | 'ANSWER';
  ok: boolean;
  detail: string;
  duration_ms: number;
};

/**
 * Resolves the host, checks every IP address against the egress rules, connects, completes the TLS handshake, and sends
 * HEAD. Ends with the first step that fails; one deadline covers all steps.
 */
export async function examine(
  { egress, agent }: { egress: EgressPolicy; agent: Agent },
  address: string,
  deadlineMs: number,
): Promise<ExaminationStep[]> {
  const url = new URL(address);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
  const { steps, take, signal } = diagnosis(deadlineMs);
  const addresses = await take('DNS', () => lookUp(egress, host, signal));
  const vetted = addresses && (await take('ADDRESS', async () => judge(egress, url, addresses)));
  const socket = vetted && (await take('CONNECT', async () => connect(vetted, port, signal)));
  if (!socket) return steps;
  const secure = url.protocol === 'https:' ? await take('TLS', async () => shake(socket, host, signal)) : true;
  socket.destroy();
  if (secure) await take('ANSWER', async () => ask(agent, url, signal));
  return steps;
}

/** The steps of a diagnosis: `take` runs one, and returns undefined if it failed. One deadline covers all steps. */
export function diagnosis(deadlineMs: number) {
  const signal = AbortSignal.timeout(deadlineMs);
  const steps: ExaminationStep[] = [];
  const take = async <T>(step: ExaminationStep['step'], work: () => Promise<[detail: string, result: T]>) => {
    const startedMs = performance.now();
    const note = (ok: boolean, detail: string) =>
      steps.push({ step, ok, detail, duration_ms: Math.round((performance.now() - startedMs) * 10) / 10 });
    try {
      const [detail, result] = await work();
      note(true, detail);
      return result;
    } catch (error) {
      note(false, signal.aborted ? `No response within ${deadlineMs / 1000} seconds.` : messageOf(error));
      return undefined;
    }
  };
  return { steps, take, signal };
}

/** The IP addresses of a host name, and the detail of the step. */
export async function lookUp(egress: EgressPolicy, host: string, signal: AbortSignal): Promise<[string, string[]]> {
  if (net.isIP(host)) return ['The host is an IP address; no DNS lookup needed.', [host]];
  const list = await within(signal, egress.lookUp(host));
  return [`${host} is ${list.join(', ')}`, list];
}

function judge(egress: EgressPolicy, url: URL, addresses: string[]): [string, string] {
  const forbidden = egress.forbids(url);
  if (forbidden) throw new Error(`${forbidden}.`);
  for (const address of addresses) {
    const why = egress.refusal(address);
    if (why) throw new Error(`${address} is not a public address (${why}); deliveries to it are blocked.`);
  }
  const [first = ''] = addresses;
  return [addresses.length === 1 ? `${first} is allowed.` : 'All addresses are allowed.', first];
}

function connect(host: string, port: number, signal: AbortSignal): Promise<[string, net.Socket]> {
  const startedMs = performance.now();
  return new Promise((ok, refuse) => {
    const socket = net.connect({ host, port, signal });
    socket.once('error', refuse);
    socket.once('connect', () =>
      ok([`${host}:${port} accepted the connection in ${Math.round(performance.now() - startedMs)} ms.`, socket]),
    );
  });
}

function shake(socket: net.Socket, host: string, signal: AbortSignal): Promise<[string, true]> {
  return new Promise((ok, refuse) => {
    const secure = tls.connect({ socket, ...(net.isIP(host) ? {} : { servername: host }) });
    signal.addEventListener('abort', () => secure.destroy(new Error('aborted')), { once: true });
    secure.once('error', refuse);
    secure.once('secureConnect', () => {
      const { valid_to, issuer } = secure.getPeerCertificate();
      const by = issuer?.O ?? issuer?.CN ?? 'an unknown issuer';
      ok([`${secure.getProtocol()}, certificate of ${[by].flat().join(', ')} until ${valid_to}.`, true]);
    });
  });
}

async function ask(agent: Agent, { origin, pathname, search }: URL, signal: AbortSignal): Promise<[string, number]> {
  const answer = await agent.request({ origin, path: pathname + search, method: 'HEAD', signal });
  await answer.body.dump();
  return [`HEAD returned ${answer.statusCode}.`, answer.statusCode];
}

export function within<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return Promise.race([
    work,
    new Promise<never>((_, refuse) => signal.addEventListener('abort', () => refuse(signal.reason), { once: true })),
  ]);
}

function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return messageOf(error.errors[0]);
  return error instanceof Error ? error.message || String((error as NodeJS.ErrnoException).code) : String(error);
}
