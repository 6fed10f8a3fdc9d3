import { createServer, type Server } from 'node:http';
import type { AddressInfo, LookupFunction } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BlockedAddress, createEgress } from './egress.ts';

const LOOPBACK = '127.0.0.1';
/** Stands for a public address: one of documentation, allowed where a test needs it, as none is ever to be asked. */
const PUBLIC = '192.0.2.1';
const AS_PUBLIC = ['192.0.2.0/24'];
/** A resolver that knows only these names, and counts who asks. */
function resolver(names: Record<string, string[][]>) {
  const asked: string[] = [];
  const lookup = ((host: string, _: object, done: (error: Error | null, found: object[]) => void) => {
    asked.push(host);
    const answers = names[host];
    const answer = answers && (answers.length > 1 ? answers.shift() : answers[0]);
    if (!answer) return done(Object.assign(new Error('unknown'), { code: 'ENOTFOUND' }), []);
    done(
      null,
      answer.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  }) as unknown as LookupFunction;
  return { lookup, asked };
}

/** Listens on loopback; nobody may ever get here. */
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

const LITERALS = [
  '127.0.0.1',
  '127.0.0.1.',
  '127.1',
  '127.0.1',
  '127.255.255.254',
  '2130706433',
  '017700000001',
  '0177.0.0.1',
  '0x7f000001',
  '0x7F.1',
  '0x7f.0.0x0.1',
  '127.0x0.1',
  '%31%32%37.0.0.1',
  '①②⑦.0.0.1',
  '１２７.0.0.1',
  '127。0。0。1',
  '0',
  '0.0.0.0',
  '0.0.0.1',
  '10.0.0.1',
  '0xa000001',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.0.1',
  '3232235521',
  '169.254.169.254',
  '2852039166',
  '0xa9fea9fe',
  '169.254.170.2',
  '168.63.129.16',
  '100.64.0.1',
  '100.100.100.200',
  '100.127.255.255',
  '192.0.0.192',
  '192.0.2.1',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.7',
  '203.0.113.7',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '[::]',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::2]',
  '[::127.0.0.1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::ffff:0:127.0.0.1]',
  '[::ffff:169.254.169.254]',
  '[64:ff9b::127.0.0.1]',
  '[64:ff9b::a9fe:a9fe]',
  '[64:ff9b:1:7f00:0:1:808:808]',
  '[2002:7f00:1::]',
  '[2002:c0a8:1::1]',
  '[2001:0:7f00:1::]',
  '[fc00::1]',
  '[fd00:ec2::254]',
  '[fe80::1]',
  '[fe80::5efe:7f00:1]',
  '[fec0::1]',
  '[ff02::1]',
  '[100::1]',
  '[100:0:0:1::1]',
  '[2001:db8::1]',
  '[3fff::1]',
  '[5f00::1]',
  '[4000::1]',
];

describe('an address that is not a public one', () => {
  const { lookup, asked } = resolver({});
  const egress = createEgress([], lookup);

  it(`is told in every one of ${LITERALS.length} spellings, without asking a resolver`, async () => {
    for (const host of LITERALS)
      await expect(egress.check(`http://${host}:${port}/`), host).rejects.toThrow(BlockedAddress);
    expect(asked).toEqual([]);
  });

  it('is not connected to, however it is spelled', async () => {
    const agent = egress.agent();
    for (const host of LITERALS) {
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
  const inside: Record<string, string[][]> = {
    localhost: [[LOOPBACK]],
    'localhost.': [['::1', LOOPBACK]],
    'app.localhost': [[LOOPBACK]],
    'localhost.localdomain': [[LOOPBACK]],
    'ip6-localhost': [['::1']],
    'inside.test': [[LOOPBACK]],
    'mapped.test': [['::ffff:127.0.0.1']],
    'metadata.test': [['169.254.169.254']],
    'nat64.test': [['64:ff9b::7f00:1']],
    'mixed.test': [[PUBLIC, LOOPBACK]],
    'mixed-first.test': [[LOOPBACK, PUBLIC]],
    'mixed-six.test': [[PUBLIC, 'fd00::1']],
    'xn--bcher-kva.test': [['10.1.2.3']],
  };
  const spelled = [...Object.keys(inside), 'LOCALHOST', 'LocalHost.', 'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ', 'bücher.test', 'inside%2Etest'];

  it('with any answer inside is neither taken nor connected to', async () => {
    const egress = createEgress(AS_PUBLIC, resolver(inside).lookup);
    const agent = egress.agent();
    for (const host of spelled) {
      const url = new URL(`http://${host}:${port}/`);
      await expect(egress.check(url.href), host).rejects.toThrow(BlockedAddress);
      await expect(agent.request({ origin: url.origin, path: '/', method: 'GET' }), host).rejects.toThrow(
        BlockedAddress,
      );
    }
    await agent.close();
    expect(reached).toBe(0);
  });

  it('that changes its mind after it was checked is not connected to', async () => {
    const { lookup, asked } = resolver({ 'rebound.test': [[PUBLIC], [LOOPBACK]] });
    const egress = createEgress(AS_PUBLIC, lookup);
    const agent = egress.agent();
    await egress.check('http://rebound.test/');
    const request = agent.request({ origin: `http://rebound.test:${port}`, path: '/', method: 'GET' });
    await expect(request).rejects.toThrow('rebound.test (127.0.0.1) is not a public address (loopback)');
    await agent.close();
    expect([asked, reached]).toEqual([['rebound.test', 'rebound.test'], 0]);
  });

  it('that leads inside where its address was allowed is connected to', async () => {
    const egress = createEgress(['127.0.0.0/8'], resolver(inside).lookup);
    const agent = egress.agent();
    const answer = await agent.request({ origin: `http://inside.test:${port}`, path: '/', method: 'GET' });
    expect(await answer.body.text()).toBe('inside');
    await expect(egress.check('http://metadata.test/')).rejects.toThrow(BlockedAddress);
    await agent.close();
  });

  it('that does not resolve passes, to be found out by who connects', async () => {
    const egress = createEgress([], resolver({}).lookup);
    await egress.check('http://nowhere.test/');
    const agent = egress.agent();
    await expect(agent.request({ origin: 'http://nowhere.test', path: '/', method: 'GET' })).rejects.toThrow('unknown');
    await agent.close();
  });
});
