/**
 * Escape attempts: expressions that return a value when they succeed. escape.test.ts tries each in every sandbox, and
 * without one, where each has to succeed (or fail only for lack of a network).
 */
import { tmpdir } from 'node:os';
import type { Bait } from './escape-bait.ts';

const get = (address: string) => `fetch('${address}', { signal: AbortSignal.timeout(500) }).then((r) => r.status)`;
const connect = (host: string, port: number) =>
  `Deno.connect({ hostname: '${host}', port: ${port} }).then((conn) => { conn.close(); return 'connected'; })`;
const node = (module: string, work: string) => `import('node:${module}').then((m) => ${work})`;
const events = (target: string, good: string, bad = 'error') =>
  `new Promise((resolve, reject) => { const it = ${target}; it.on('${good}', () => { resolve('${good}'); it.destroy?.(); }).on('${bad}', reject); })`;
/** Succeeds when the text contains a path of the installation, or of its temporary files. */
const pathIn = (text: string) =>
  `Promise.resolve(${text}).then((text) => { if (${JSON.stringify(['node_modules', `${tmpdir()}/`])}.some((part) => String(text).includes(part))) return text; throw new Error('refused: no path'); })`;
const holds = (condition: string) =>
  `Promise.resolve(${condition}).then((is) => { if (is) return 'yes'; throw new Error('refused: it is not'); })`;

export const probes = (b: Bait): [name: string, expression: string][] => [
  // The file system
  ['a file', `Deno.readTextFile('${b.secretFile}')`],
  ['a file, by node:fs', node('fs', `m.readFileSync('${b.secretFile}', 'utf8')`)],
  ['a file, as a module', `import(String('file://${b.secretFile}')).then((m) => m.default)`],
  ['a file, as text', `import(String('file://${b.secretFile}'), { with: { type: 'text' } }).then((m) => m.default)`],
  ['a file, by fetch', `fetch('file://${b.secretFile}').then((r) => r.text())`],
  ['a folder', "Array.fromAsync(Deno.readDir('/')).then((all) => all.length)"],
  ['writing', `Deno.writeTextFile('${b.folder}/new', 'x').then(() => 'written')`],
  ['a temporary file', 'Deno.makeTempFile()'],
  ['a link', `Deno.symlink('/etc/passwd', '${b.folder}/link').then(() => 'linked')`],
  ['a database file', node('sqlite', `new m.DatabaseSync('${b.folder}/x.db') && 'opened'`)],
  ['who this machine knows', "Deno.readTextFile('/etc/passwd')"],
  [
    'shared memory',
    "Deno.writeTextFile('/dev/shm/sluice-probe', 'x').then(() => Deno.remove('/dev/shm/sluice-probe')).then(() => 'written')",
  ],
  ['the whole disk', `Deno.writeFile('${b.folder}/big', new Uint8Array(1 << 20)).then(() => 'written')`],
  // Processes
  ['a program', "new Deno.Command('/bin/sh', { args: ['-c', 'echo hi'] }).output().then((o) => o.code)"],
  ['a program, by node:child_process', node('child_process', "String(m.execFileSync('/bin/sh', ['-c', 'echo hi']))")],
  ['a fork bomb', node('child_process', events("m.spawn('/bin/sh', ['-c', 'exit'])", 'spawn'))],
  ['a signal to another process', `Deno.kill(${b.pid}, 'SIGCONT') ?? 'sent'`],
  ['a signal, by process.kill', `process.kill(${b.pid}, 0) && 'sent'`],
  [
    'a thread',
    "new Worker(URL.createObjectURL(new Blob([''], { type: 'text/javascript' })), { type: 'module' }).terminate() ?? 'started'",
  ],
  ['a thread of Node’s', node('worker_threads', "new m.Worker('', { eval: true }).terminate() && 'started'")],
  [
    'a thread of Node’s, by a name made up as it runs',
    "import(['node:worker', 'threads'].join('_')).then((m) => new m.Worker('', { eval: true }).terminate() && 'started')",
  ],
  [
    'a thread of Node’s, by require',
    node(
      'module',
      "new (m.createRequire('file:///x.js')(['worker', 'threads'].join('_')).Worker)('', { eval: true }).terminate() && 'started'",
    ),
  ],
  [
    'a thread of Node’s, with another class to extend',
    "import(['node:worker', 'threads'].join('_')).then(async (m) => { Reflect.setPrototypeOf(m.Worker, (await import('node:events')).EventEmitter); return new m.Worker('', { eval: true }).terminate() && 'started'; })",
  ],
  ['a graphics processor', 'navigator.gpu.requestAdapter().then(String)'],
  ['native code', "Deno.dlopen('libc.so.6', { getpid: { parameters: [], result: 'i32' } }).symbols.getpid()"],
  ['the inspector', node('inspector', "(m.open(0, '127.0.0.1'), m.url())")],
  // What the machine shows
  ['its own environment in /proc', "Deno.readTextFile('/proc/self/environ')"],
  ["another process's environment", `Deno.readTextFile('/proc/${b.pid}/environ')`],
  ["another process's memory", `Deno.open('/proc/${b.pid}/mem').then(() => 'opened')`],
  ['what is mounted', "Deno.readTextFile('/proc/mounts').then((text) => text.length)"],
  ['the host name', 'Deno.hostname()'],
  ['its network interfaces', 'Deno.networkInterfaces().length'],
  ['its load', 'Deno.loadavg().length'],
  ['its user', 'Deno.uid()'],
  // Where it runs
  ['the path of its program', pathIn('Deno.execPath()')],
  ['the path of its program, by process', pathIn('process.execPath')],
  ['the path of its program, by node:process', node('process', pathIn('m.execPath'))],
  ['the name of its program', pathIn('process.argv0')],
  ['its title', pathIn('process.title')],
  ['the path of its script', pathIn('Deno.mainModule')],
  ['its arguments', pathIn('[...Deno.args, ...process.argv].join()')],
  ['paths in a stack trace', pathIn('new Error().stack')],
  [
    'paths in structured call sites',
    pathIn(
      '(() => { const before = Error.prepareStackTrace; Error.prepareStackTrace = (_, sites) => sites.map((site) => String(site.getFileName())).join(); try { return new Error().stack; } finally { Error.prepareStackTrace = before; } })()',
    ),
  ],
  ['paths in a report', pathIn('JSON.stringify(process.report.getReport())')],
  ['its parent', holds(`Deno.ppid === ${process.pid}`)],
  ['its parent, by process', holds(`process.ppid === ${process.pid}`)],
  ['its number among processes', holds('Deno.pid > 2')],
  ['its number among processes, by node:process', node('process', holds('m.pid > 2'))],
  // Its engine
  [
    'V8’s flags',
    node(
      'v8',
      `(m.setFlagsFromString('--expose-gc'), import('node:vm')).then((vm) => ${holds("vm.runInNewContext('typeof gc') === 'function'")})`,
    ),
  ],
  [
    'V8’s flags, by require',
    node(
      'module',
      `(m.createRequire('file:///x.js')('v8').setFlagsFromString('--expose-gc'), import('node:vm')).then((vm) => ${holds("vm.runInNewContext('typeof gc') === 'function'")})`,
    ),
  ],
  [
    'permission for native code',
    holds("Deno.permissions.query({ name: 'ffi' }).then(({ state }) => state === 'granted')"),
  ],
  ['a pointer', 'Deno.UnsafePointer.create(1n) && "made"'],
  // The service itself, other sockets
  ['the service by 127.0.0.1', get(`http://127.0.0.1:${b.port}/`)],
  ['by a name', get(`http://localhost:${b.port}/`)],
  ['by another loopback address', get(`http://127.8.8.8:${b.port}/`)],
  ['by zero', get(`http://0.0.0.0:${b.port}/`)],
  ['in decimal', get(`http://2130706433:${b.port}/`)],
  ['in hexadecimal', get(`http://0x7f000001:${b.port}/`)],
  ['in octal', get(`http://0177.0.0.1:${b.port}/`)],
  ['in short', get(`http://127.1:${b.port}/`)],
  ['in IPv6', get(`http://[::1]:${b.port}/`)],
  ['mapped into IPv6', get(`http://[::ffff:127.0.0.1]:${b.port}/`)],
  ['mapped, in hexadecimal', get(`http://[::ffff:7f00:1]:${b.port}/`)],
  ['by a redirect', get(`http://127.0.0.1:${b.port}/redirect`)],
  ['by a name with several addresses', `${get(`http://${b.mixed}:${b.port}/`)}`],
  ['by raw TCP', connect('127.0.0.1', b.port)],
  ['by raw TCP to a name', connect('localhost', b.port)],
  ['by node:net', node('net', events(`m.connect(${b.port}, '127.0.0.1')`, 'connect'))],
  ['by node:net, in decimal', node('net', events(`m.connect(${b.port}, '2130706433')`, 'connect'))],
  ['by node:http', node('http', events(`m.get('http://localhost:${b.port}')`, 'response'))],
  [
    'by node:tls',
    node(
      'tls',
      events(
        `m.connect({ port: ${b.port}, host: '127.0.0.1', rejectUnauthorized: false }).on('error', (e) => /wrong version|unexpected|Invalid|corrupt/i.test(e.message) && resolve('answered'))`,
        'secureConnect',
      ),
    ),
  ],
  [
    'by a WebSocket',
    `new Promise((resolve, reject) => { const s = new WebSocket('ws://127.0.0.1:${b.port}/ws'); s.onopen = () => resolve('open'); s.onerror = (e) => /handshake|status|upgrade/i.test(e.message) ? resolve('answered') : reject(e.error ?? new Error(e.message)); })`,
  ],
  [
    'an event stream',
    `new Promise((resolve, reject) => { const s = new EventSource('http://127.0.0.1:${b.port}/events'); s.onopen = () => { s.close(); resolve('open'); }; s.onerror = (e) => { s.close(); reject(new Error(e.message ?? 'refused')); }; })`,
  ],
  [
    'UDP',
    node(
      'dgram',
      `new Promise((resolve, reject) => { const s = m.createSocket('udp4'); setTimeout(reject, 1000, new Error('refused: nothing was sent')); s.on('error', reject); s.send('x', ${b.udpPort}, '127.0.0.1', (error) => { s.close(); error ? reject(error) : resolve('sent'); }); })`,
    ),
  ],
  [
    "the database's socket",
    `Deno.connect({ transport: 'unix', path: '${b.unixPath}' }).then((conn) => { conn.close(); return 'connected'; })`,
  ],
  ["the database's socket, by node:net", node('net', events(`m.connect('${b.unixPath}')`, 'connect'))],
  [
    'an abstract socket',
    `Deno.connect({ transport: 'unix', path: '${b.abstractPath}' }).then((conn) => { conn.close(); return 'connected'; })`,
  ],
  ['an abstract socket, by node:net', node('net', events(`m.connect({ path: '${b.abstractPath}' })`, 'connect'))],
  [
    'an abstract socket, by node:http',
    node(
      'http',
      events(
        `m.get({ socketPath: '${b.abstractPath}', path: '/' }).on('error', (e) => /hang up|reset|Parse/i.test(e.message) && resolve('answered'))`,
        'response',
      ),
    ),
  ],
  [
    'an abstract socket, by an option of every object',
    `(() => { Object.prototype.transport = 'unix'; Object.prototype.path = '${b.abstractPath}'; return Deno.connect({ port: 1 }).then((conn) => { conn.close(); return 'connected'; }).finally(() => { delete Object.prototype.transport; delete Object.prototype.path; }); })()`,
  ],
  ['Deno’s own parts', 'Object.keys(Deno[Deno.internal].core).length'],
  [
    'a listening abstract socket',
    `Deno.listen({ transport: 'unix', path: '${b.abstractPath}-own' }).close() ?? 'listened'`,
  ],
  [
    'a listening abstract socket, by node:net',
    node('net', events(`m.createServer().listen({ path: '${b.abstractPath}-node' })`, 'listening')),
  ],
  ['a proxy by vsock', "Deno.createHttpClient({ proxy: { transport: 'vsock', cid: 1, port: 1 } }) && 'made'"],
  ['listening', "Deno.listen({ port: 0 }).close() ?? 'listened'"],
  ['listening on IPv6', "Deno.listen({ hostname: '::', port: 0 }).close() ?? 'listened'"],
  [
    'serving',
    "new Promise((resolve, reject) => { try { const s = Deno.serve({ port: 0, hostname: '127.0.0.1', onListen: () => { resolve('served'); s.shutdown(); } }, () => new Response()); } catch (error) { reject(error); } })",
  ],
  [
    'a socket that others can connect to',
    `Deno.listen({ transport: 'unix', path: '${b.folder}/own.sock' }).close() ?? 'listened'`,
  ],
  // Code from elsewhere
  ['code from the web', `import(String('http://127.0.0.1:${b.port}/code.js')).then((m) => m.default)`],
  // What one could fill up
  ['buffers without end', 'Array.from({ length: 40 }, () => new ArrayBuffer(64 * 1024 ** 2)).length'],
  [
    'a heap without end',
    '(() => { const kept = []; for (let n = 0; n < 40; n++) kept.push(Array.from({ length: 1e6 }, (_, i) => i + 0.5)); return kept.length; })()',
  ],
  ['files without end', "Array.from({ length: 300 }, () => Deno.openSync('/dev/null')).length"],
];

/** Addresses without a server: a sandbox denies them, without one the connection just fails. */
export const elsewhere: [name: string, expression: string][] = [
  ['metadata', 'http://169.254.169.254/latest/meta-data/'],
  ['metadata in decimal', 'http://2852039166/'],
  ['metadata in hexadecimal', 'http://0xa9fea9fe/'],
  ['metadata mapped into IPv6', 'http://[::ffff:169.254.169.254]/'],
  ['a private network of class A', 'http://10.0.0.1/'],
  ['a private network of class B', 'http://172.16.0.1/'],
  ['a private network of class C', 'http://192.168.1.1/'],
  ['a carrier’s network', 'http://100.64.0.1/'],
  ['a benchmark network', 'http://198.18.0.1/'],
  ['multicast', 'http://224.0.0.1/'],
  ['reserved', 'http://240.0.0.1/'],
].map(([name = '', address = '']) => [name, get(address)]);

/** Only a container without a network denies these: Deno knows no IPv6 ranges (docs/reference/security.md). */
export const elsewhereByIpv6: [name: string, expression: string][] = [
  ['a unique local address', 'http://[fd12:3456::1]/'],
  ['metadata in IPv6', 'http://[fd00:ec2::254]/'],
  ['link-local IPv6', 'http://[fe80::1]/'],
  ['NAT64 of metadata', 'http://[64:ff9b::a9fe:a9fe]/'],
  ['6to4 of this machine', 'http://[2002:7f00:1::]/'],
].map(([name = '', address = '']) => [name, get(address)]);
