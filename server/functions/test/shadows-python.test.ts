/** Shadows of Python functions. */
import { expect, it } from 'vitest';
import type { Reply } from '../../../contract/operations.ts';
import { serviceForAll } from '../../test/shared-set-up.ts';
import { invoke, makeFunction } from './functions-support.ts';
import { pathOf, requestsOf, shadow } from './shadows-support.ts';

const service = serviceForAll();

const code = (work: string) => `import json, os, subprocess, urllib.request

def handler(event, context):
    items = json.loads(event["body"])
${work}
`;

it('compares two versions, blocks their calls, and stops a loop', async () => {
  const fn = await makeFunction(
    service,
    { 'main.py': code('    print("items", len(items))\n    return {"total": sum(items)}') },
    { runtime: 'python3.12', timeout_seconds: 20 },
  );
  for (const body of ['[1, 2]', '[]', '[0]', '[9]']) await invoke(service, fn, { body });
  const next = code(`    if items == []:
        raise LookupError("no items")
    if items == [0]:
        urllib.request.urlopen("http://127.0.0.1:${service.port}/")
    if items == [9]:
        subprocess.run(["curl", "http://127.0.0.1:${service.port}/"])
    print("items", len(items))
    return {"total": sum(items)}`);
  const detail = await shadow(service, fn, { files: { 'main.py': next } });
  expect(detail).toMatchObject({
    shadow: { status: 'COMPLETED', verdict: 'FAILED', total: 4, done: 4 },
    matrix: [
      { before: 'SUCCESS', after: 'BLOCKED', count: 1 },
      { before: 'SUCCESS', after: 'FAILURE', count: 2 },
      { before: 'SUCCESS', after: 'SUCCESS', count: 1 },
    ],
    responses: { same: 1, different: 3, varying: 0 },
    hosts: [{ host: `127.0.0.1:${service.port}`, before: 0, after: 1 }],
  });
  const requests = await requestsOf(service, detail.shadow, '&differs=true');
  expect(requests.map(({ after }) => after?.error?.name)).toEqual(
    expect.arrayContaining(['LookupError', expect.stringMatching(/URLError|ConnectionError/)]),
  );
  const [same] = await requestsOf(service, detail.shadow, '&differs=false');
  const path = `${pathOf(detail.shadow)}/requests/${same?.run_id}`;
  const { request } = (await service.api<Reply<'shadowRequestGet'>>('GET', path)).body;
  expect(request.after).toMatchObject({ body: '{"total":3}', log: [{ level: 'info', message: 'items 2' }] });

  // Of each version, a new process loads the module within this time, too.
  await service.api('PATCH', `/functions/${fn.function_id}`, { timeout_seconds: 10 });
  const endless = await shadow(service, fn, { files: { 'main.py': code('    while True:\n        pass') }, last: 1 });
  expect(endless.matrix).toEqual([{ before: 'SUCCESS', after: 'FAILURE', count: 1 }]);
});
