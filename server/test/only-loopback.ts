/** Preloaded into a program that would listen on every interface: it listens on loopback only and prints its port. */
import { type AddressInfo, Server } from 'node:net';

const listen = Server.prototype.listen as (this: Server, ...args: unknown[]) => Server;
Server.prototype.listen = function (this: Server, port: unknown, ...rest: unknown[]) {
  this.once('listening', () => console.log(`PORT ${(this.address() as AddressInfo).port}`));
  return listen.call(this, Number(port), '127.0.0.1', ...rest);
} as typeof Server.prototype.listen;
