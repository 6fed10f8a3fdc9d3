import { describe, expect, it } from 'vitest';
import { curlSnippet, fetchSnippet, functionSnippet, pythonSnippet, type SnippetCall } from './snippets.ts';

const ID = '01a1fd48-186a-7450-bb90-a3e1276506cd';
const call = (more: Partial<SnippetCall> = {}): SnippetCall => ({
  baseUrl: 'https://sluice.example.com/api',
  app: 'ledger',
  connectionId: ID,
  method: 'GET',
  path: '/v1/items?page=2',
  ...more,
});
const JSON_CALL = call({
  method: 'POST',
  headers: [['content-type', 'application/json']],
  body: `{"name":"Ann's","tags":["a",1.5],"on":true,"off":null,"x-y":{}}`,
});

describe('curl', () => {
  it('names the connection and reads the key from the environment', () => {
    expect(curlSnippet(call())).toBe(
      `curl 'https://sluice.example.com/api/ledger/v1/items?page=2' \\\n  -H "Authorization: Bearer $API_KEY" \\\n  -H 'Service-Connection: ${ID}'`,
    );
    expect(curlSnippet(call({ connectionId: undefined }))).not.toContain('Service-Connection');
  });

  it('prints streams as they come', () => {
    expect(curlSnippet(call({ headers: [['Accept', 'text/event-stream']] }))).toMatch(/^curl -N /);
    expect(curlSnippet(call({ method: 'POST', body: '{"stream": true}' }))).toMatch(/^curl -N /);
    expect(curlSnippet(JSON_CALL)).not.toContain('-N');
  });

  it('quotes the body for the shell', () => {
    expect(curlSnippet(JSON_CALL)).toContain(
      `--data-raw '{"name":"Ann'\\''s","tags":["a",1.5],"on":true,"off":null,"x-y":{}}'`,
    );
    expect(curlSnippet(JSON_CALL)).not.toContain('-X POST');
  });

  it('prevents curl from changing the request', () => {
    expect(curlSnippet(call({ method: 'PUT', body: 'x' }))).toMatch(/^curl -X PUT .*-H 'Content-Type:'/s);
    expect(curlSnippet(call({ method: 'HEAD' }))).toMatch(/^curl --head /);
    expect(curlSnippet(call({ method: 'DELETE', path: '../../../b?q[]=1' }))).toMatch(
      /^curl -X DELETE --globoff --path-as-is /,
    );
    expect(curlSnippet(call({ headers: [['x-empty', '']] }))).toContain(`-H 'x-empty;'`);
  });
});

describe('fetch', () => {
  it('is as short as the request', () => {
    expect(fetchSnippet(call())).toBe(
      [
        'const response = await fetch("https://sluice.example.com/api/ledger/v1/items?page=2", {',
        '  headers: {',
        `    Authorization: \`Bearer \${process.env.API_KEY}\`,`,
        `    "Service-Connection": "${ID}",`,
        '  },',
        '});',
        'console.log(response.status, await response.text());',
      ].join('\n'),
    );
  });

  it('writes JSON as values of the language', () => {
    const text = fetchSnippet(JSON_CALL);
    const value = /JSON\.stringify\((.*)\),\n\}\);/s.exec(text)?.[1] ?? '';
    expect(new Function(`return ${value}`)()).toEqual(JSON.parse(JSON_CALL.body ?? ''));
    expect(text).toContain('    name: "Ann\'s",');
    expect(text).toContain('    "x-y": {},');
  });

  it('keeps JSON as text if it cannot be represented', () => {
    for (const body of ['{"id":12345678901234567890}', '{"a":1,"a":2}', '{"__proto__":1}', '{"a":1.0}', 'a=1', '"x"'])
      expect(fetchSnippet(call({ method: 'POST', body })), body).toContain(`  body: ${JSON.stringify(body)},`);
  });

  it('keeps a repeated header', () => {
    const headers = [
      ['x-tag', 'b'],
      ['X-Tag', 'a'],
    ] as const;
    expect(fetchSnippet(call({ headers }))).toContain('    ["x-tag", "b"],\n    ["X-Tag", "a"],\n  ],');
  });
});

describe('Python', () => {
  it('writes values of the language', () => {
    expect(pythonSnippet(JSON_CALL)).toBe(
      [
        'import os',
        '',
        'import requests',
        '',
        'response = requests.request(',
        '    "POST",',
        '    "https://sluice.example.com/api/ledger/v1/items?page=2",',
        '    headers={',
        `        "Authorization": f"Bearer {os.environ['API_KEY']}",`,
        `        "Service-Connection": "${ID}",`,
        '        "content-type": "application/json",',
        '    },',
        '    json={',
        '        "name": "Ann\'s",',
        '        "tags": [',
        '            "a",',
        '            1.5,',
        '        ],',
        '        "on": True,',
        '        "off": None,',
        '        "x-y": {},',
        '    },',
        ')',
        'print(response.status_code, response.text)',
      ].join('\n'),
    );
  });

  it('sends text as bytes, and joins a repeated header', () => {
    const headers = [
      ['x-tag', 'b'],
      ['X-Tag', 'a'],
    ] as const;
    const text = pythonSnippet(call({ method: 'POST', headers, body: 'grüße' }));
    expect(text).toContain('    data="grüße".encode(),');
    expect(text).toContain('        "x-tag": "b, a",');
  });
});

describe('files', () => {
  const parts = [
    { name: 'title', value: "Ann's @home" },
    { name: 'image', value: '', fileName: 'a;"b".png', type: 'image/png' },
  ];
  const post = call({ method: 'POST', parts });
  const file = call({ method: 'PUT', headers: [['content-type', 'text/csv']], fileName: 'rows.csv' });

  it('are named in curl', () => {
    expect(curlSnippet(post)).toMatch(/^curl 'https/);
    expect(curlSnippet(post)).toContain(`--form-string 'title=Ann'\\''s @home'`);
    expect(curlSnippet(post)).toContain(`-F 'image=@"a;\\"b\\".png";type=image/png'`);
    expect(curlSnippet(post)).not.toContain('Content-Type');
    expect(curlSnippet(file)).toContain(`--data-binary '@rows.csv'`);
    expect(curlSnippet(file)).toMatch(/^curl -X PUT /);
  });

  it('are read by fetch', () => {
    expect(fetchSnippet(post)).toContain(
      [
        "import { readFile } from 'node:fs/promises';",
        '',
        'const form = new FormData();',
        'form.append("title", "Ann\'s @home");',
        'form.append("image", new Blob([await readFile("a;\\"b\\".png")], { type: "image/png" }), "a;\\"b\\".png");',
        'const response = await fetch(',
      ].join('\n'),
    );
    expect(fetchSnippet(post)).toContain('  body: form,\n});');
    expect(fetchSnippet(file)).toContain('  body: await readFile("rows.csv"),\n});');
    expect(fetchSnippet(call({ method: 'POST', parts: parts.slice(0, 1) }))).not.toContain('import');
  });

  it('are opened by Python', () => {
    expect(pythonSnippet(post)).toContain(
      [
        '    files=[',
        `        ("title", (None, "Ann's @home")),`,
        '        ("image", ("a;\\"b\\".png", open("a;\\"b\\".png", "rb"), "image/png")),',
        '    ],',
      ].join('\n'),
    );
    expect(pythonSnippet(file)).toContain('    data=open("rows.csv", "rb"),');
  });

  it('have a text in their place in a function', () => {
    const code = functionSnippet(post);
    expect(code).toContain(
      '    form.append("image", new Blob(["the content of a;\\"b\\".png"], { type: "image/png" })',
    );
    expect(code).toContain('      body: form,');
    expect(functionSnippet(file)).toContain('      body: "the content of rows.csv",');
  });
});
