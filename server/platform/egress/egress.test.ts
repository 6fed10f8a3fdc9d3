import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  AS_PUBLIC,
  HOSTILE_LITERALS,
  HOSTILE_NAMES,
  LOOPBACK,
  namesInside,
  PUBLIC,
  resolver,
} from '../../http/test/hostile-spellings.ts';
import { BlockedAddress, createEgress } from './egress.ts';

/** A server on loopback that must never be reached. */
let canary: Server;
let port = 0;
let reached = 0;
beforeAll(async () => {
  canary = createServer((_, res) => {
    reached++;
    res.end('inside');
  });
  await new Promise<void>((ok) => canary.listen(0, LOOPBACK, ok));
  port = (canary.address() as AddressInfo).port;
});
afterAll(() => new Promise((ok) => canary.close(ok)));

describe('an address that is not a public one', () => {
  const { lookup, asked } = resolver({});
  const egress = createEgress([], lookup);

  it(`is refused in every one of ${HOSTILE_LITERALS.length} spellings, without asking a resolver`, async () => {
    for (const host of HOSTILE_LITERALS)
      await expect(egress.check(`http://${host}:${port}/`), host).rejects.toThrow(BlockedAddress);
    expect(asked).toEqual([]);
  });

  it('is not connected to in any spelling', async () => {
    const agent = egress.agent();
    for (const host of HOSTILE_LITERALS) {
      const { origin } = new URL(`http://${host}:${port}/`);
      await expect(agent.request({ origin, path: '/', method: 'GET' }), host).rejects.toThrow(BlockedAddress);
    }
    await agent.close();
    expect([reached, asked]).toEqual([0, []]);
  });

  it.each(['fe80::1%eth0', '::1%lo', '[::1]', 'nonsense', ''])('as an address alone: %s', (ip) => {
    expect(egress.refusal(ip)).not.toBeNull();
  });

  it.each(['8.8.8.8', '172.32.0.1', '100.128.0.1', '2606:4700:4700::1111', '64:ff9b::8.8.8.8', '::ffff:8.8.8.8'])(
    'is not %s',
    (ip) => {
      expect(egress.refusal(ip)).toBeNull();
    },
  );
});

describe('a name', () => {
  it('with any private address is neither accepted nor connected to', async () => {
    const egress = createEgress(AS_PUBLIC, resolver(namesInside()).lookup);
    const agent = egress.agent();
    for (const host of HOSTILE_NAMES) {
      const url = new URL(`http://${host}:${port}/`);
      await expect(egress.check(url.href), host).rejects.toThrow(BlockedAddress);
      await expect(agent.request({ origin: url.origin, path: '/', method: 'GET' }), host).rejects.toThrow(
        BlockedAddress,
      );
    }
    await agent.close();
    expect(reached).toBe(0);
  });

  it('whose address changes after the check is not connected to', async () => {
    const { lookup, asked } = resolver({ 'rebound.test': [[PUBLIC], [LOOPBACK]] });
    const egress = createEgress(AS_PUBLIC, lookup);
    const agent = egress.agent();
    await egress.check('http://rebound.test/');
    const request = agent.request({ origin: `http://rebound.test:${port}`, path: '/', method: 'GET' });
    await expect(request).rejects.toThrow('rebound.test (127.0.0.1) is not a public address (loopback)');
    await agent.close();
    expect([asked, reached]).toEqual([['rebound.test', 'rebound.test'], 0]);
  });

  it('with an allowed private address is connected to', async () => {
    const egress = createEgress(['127.0.0.0/8'], resolver(namesInside()).lookup);
    const agent = egress.agent();
    const answer = await agent.request({ origin: `http://inside.test:${port}`, path: '/', method: 'GET' });
    expect(await answer.body.text()).toBe('inside');
    await expect(egress.check('http://metadata.test/')).rejects.toThrow(BlockedAddress);
    await agent.close();
  });

  it('that does not resolve passes the check, and fails at the connection', async () => {
    const egress = createEgress([], resolver({}).lookup);
    await egress.check('http://nowhere.test/');
    const agent = egress.agent();
    await expect(agent.request({ origin: 'http://nowhere.test', path: '/', method: 'GET' })).rejects.toThrow('unknown');
    await agent.close();
  });
});
