/** Spellings of private IP addresses that attackers use, and a resolver that returns such addresses. */
import type { LookupFunction } from 'node:net';

export const LOOPBACK = '127.0.0.1';
/** Represents a public IP address: one for documentation, which tests allow and never connect to. */
export const PUBLIC = '203.0.113.200';
export const AS_PUBLIC = ['203.0.113.128/25'];
/** A resolver of these names only, which counts queries. */
export function resolver(names: Record<string, string[][]>) {
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

/** Does not query DNS. */
export const HOSTILE_LITERALS = [
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

/** Names that resolve to private IP addresses in different ways; created per use, because answers are consumed. */
export const namesInside = (): Record<string, string[][]> => ({
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
});

/** The same names, and other spellings of them. */
export const HOSTILE_NAMES = [
  ...Object.keys(namesInside()),
  'LOCALHOST',
  'LocalHost.',
  'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ',
  'bücher.test',
  'inside%2Etest',
];

/** URLs whose host is not what it seems. */
export const HOSTILE_ADDRESSES = [
  'http://example.com@127.0.0.1/',
  'http://example.com:80@127.0.0.1/',
  'http://example.com%40127.0.0.1/',
  'http://127.0.0.1\\@example.com/',
  'http://127.0.0.1#@example.com/',
  'http://127.0.0.1?@example.com/',
  'http://127.0.0.1:80;example.com/',
  'http:127.0.0.1/',
  'http:/127.0.0.1/',
  'http:\\\\127.0.0.1/',
  'http://127.0.0.1%00.example.com/',
  'http://[::1%25lo]/',
  'http://[fe80::1%25eth0]/',
  'http://12\t7.0.0.1/',
  'http://127.0.0.1\r\n/',
  ' http://127.0.0.1/',
  'http://1.2.3.4.5/',
  '//127.0.0.1/',
  'file:///etc/passwd',
  'gopher://127.0.0.1/',
  'ftp://127.0.0.1/',
  'ws://127.0.0.1/',
  'data:text/plain,x',
  'unix:/var/run/docker.sock',
];
