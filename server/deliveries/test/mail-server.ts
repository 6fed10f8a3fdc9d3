/** A real SMTP server on loopback that rejects by recipient, or behaves in any other way once a connection is open. */
import { type AddressInfo, createServer, connect as netConnect, type Socket } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import type { Identity } from '../../test/certificates.ts';

export const MAIL_USER = 'sluice';
export const MAIL_PASSWORD = 'a p4ssword of the mail server';

export type Mail = { from: string; to: string[]; source: string; secure: boolean; user: string | undefined };
export type MailServer = {
  port: number;
  /** The messages accepted for an address, oldest first. */
  received(address: string): Mail[];
  /** How many sessions had an address among their recipients, accepted or not. */
  attempts(address: string): number;
  /** Handles new connections in place of the SMTP server, until it is called without a handler. */
  intercept(handler?: (socket: Socket) => void): void;
  /** The password that the server accepts. */
  password: string;
  /** How many more times it rejects that password, too. */
  rejections: number;
  close(): Promise<void>;
};

const reply = (responseCode: number, message: string) => Object.assign(new Error(message), { responseCode });
/** Replies to recipients by the part before the @; `once` is accepted at the second attempt. */
const REPLIES: Record<string, (attempts: number) => Error | null> = {
  unknown: () => reply(550, '5.1.1 No such mailbox'),
  busy: () => reply(450, '4.2.1 Mailbox busy'),
  once: (attempts) => (attempts === 1 ? reply(451, '4.7.1 Greylisted') : null),
  closing: () => reply(421, '4.3.2 Shutting down'),
};

export async function startMailServer(options: SMTPServerOptions & Partial<Identity> = {}): Promise<MailServer> {
  const mails: Mail[] = [];
  const attempts = new Map<string, number>();
  const sockets = new Set<Socket>();
  let handler: ((socket: Socket) => void) | undefined;
  const smtp = new SMTPServer({
    authMethods: ['PLAIN', 'LOGIN'],
    size: 1_000_000,
    onAuth(auth, _session, done) {
      const isRejected = server.rejections > 0;
      if (isRejected) server.rejections--;
      const isValid = !isRejected && auth.username === MAIL_USER && auth.password === server.password;
      // Some servers repeat the command.
      if (!isValid) return done(reply(535, `5.7.8 Rejected: ${auth.username} ${auth.password}`));
      done(null, { user: MAIL_USER });
    },
    onRcptTo({ address }, _session, done) {
      const count = (attempts.get(address) ?? 0) + 1;
      attempts.set(address, count);
      done(REPLIES[address.split('@')[0] ?? '']?.(count) ?? null);
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk) => chunks.push(chunk));
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        const source = Buffer.concat(chunks).toString();
        if (source.includes('X-Spam-Test')) return done(reply(554, '5.7.1 Looks like spam'));
        mails.push({
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
          source,
          secure: session.secure,
          user: session.user as string | undefined,
        });
        done(null, '2.0.0 Queued as 42');
      });
    },
    ...options,
  });
  smtp.on('error', () => {});
  await new Promise<void>((ok) => smtp.listen(0, '127.0.0.1', ok));
  const { port: behind } = smtp.server.address() as AddressInfo;
  const front = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    if (handler) return handler(socket);
    const inner = netConnect(behind, '127.0.0.1');
    inner.on('error', () => socket.destroy()).on('close', () => socket.destroy());
    socket.on('close', () => inner.destroy());
    socket.pipe(inner).pipe(socket);
  });
  await new Promise<void>((ok) => front.listen(0, '127.0.0.1', ok));
  const server: MailServer = {
    port: (front.address() as AddressInfo).port,
    received: (address) => mails.filter(({ to }) => to.includes(address)),
    attempts: (address) => attempts.get(address) ?? 0,
    intercept(given) {
      handler = given;
    },
    password: MAIL_PASSWORD,
    rejections: 0,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((ok) => front.close(ok));
      await new Promise<void>((ok) => smtp.close(ok));
    },
  };
  return server;
}
