/** A PostgreSQL server beside the service, as an operator would have. */
import { Client } from 'pg';
import { startEmbedded } from '../../server/platform/database/embedded/start.ts';
import { scratch } from '../../server/test/spawned.ts';

export type Server = {
  /** Creates an empty database; returns its URL. */
  create(name: string): Promise<string>;
  stop(): Promise<void>;
};

export async function startServer(): Promise<Server> {
  const folder = scratch();
  const log = { info() {}, warn() {}, error: (given: unknown) => console.error(given) };
  const { connection, stop } = await startEmbedded({ dataDir: folder.path, log });
  return {
    async create(name) {
      const admin = new Client(connection);
      await admin.connect();
      await admin.query(`create database ${name}`).finally(() => admin.end());
      return `postgres://${connection.user}@localhost/${name}?host=${encodeURIComponent(connection.host)}`;
    },
    async stop() {
      await stop();
      folder.remove();
    },
  };
}
