import { expect, test } from 'vitest';
import { attemptCurl } from './attempt-curl.ts';

test('the command contains the request of the attempt, quoted for the shell', () => {
  const command = attemptCurl({
    method: 'POST',
    url: 'https://erp.example/in?a=1',
    headers: { 'content-type': 'application/json', 'content-length': '17', 'x-api-key': '••••••••' },
    body: `{"name":"Ann's"}`,
  });
  expect(command).toBe(
    `curl -X POST 'https://erp.example/in?a=1' \\\n  -H 'content-type: application/json' \\\n  -H 'x-api-key: ••••••••' \\\n  --data-raw '{"name":"Ann'\\''s"}'`,
  );
});
