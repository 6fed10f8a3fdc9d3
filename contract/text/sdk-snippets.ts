/** Programs that use the official SDK of an app with the gateway and the account's key in API_KEY. */

export type SdkPlaces = {
  /** The base URL of the app at the gateway, such as http://localhost:4400/api/openai. */
  url: string;
  /** The URL of the app's host, such as http://openai.gw.localhost:4400. */
  hostUrl: string;
};
export type Sdk = {
  /** The app of the catalogue. */
  app: string;
  /** The name of the package: npm's, PyPI's, or a program. */
  name: string;
  language: 'javascript' | 'python' | 'bash';
  /** What to know beside the snippet. */
  note: string;
  code(places: SdkPlaces): string;
};

const KEY = 'process.env.API_KEY';
const ENDS = 'The base URL replaces that of the vendor.';
const REWRITES = 'The hook asks for links of the gateway: otherwise the next page would be requested at the vendor.';
const js = (app: string, name: string, note: string, code: Sdk['code']): Sdk => ({
  app,
  name,
  note,
  code,
  language: 'javascript',
});

/** One for each SDK. The tests run them (server/gateway/test/sdks.test.ts). */
export const SDKS: readonly Sdk[] = [
  js(
    'openai',
    'openai',
    ENDS,
    ({ url }) => `import OpenAI from 'openai';

const openai = new OpenAI({ apiKey: ${KEY}, baseURL: '${url}/v1' });
const stream = await openai.chat.completions.create({
  model: 'gpt-5-mini',
  messages: [{ role: 'user', content: 'Hello' }],
  stream: true,
});
for await (const part of stream) console.log(part.choices[0]?.delta.content);`,
  ),
  js(
    'anthropic',
    '@anthropic-ai/sdk',
    ENDS,
    ({ url }) => `import Anthropic from '@anthropic-ai/sdk';

const anthropic = new Anthropic({ apiKey: ${KEY}, baseURL: '${url}' });
const message = await anthropic.messages.create({
  model: 'claude-haiku-4-5',
  max_tokens: 100,
  messages: [{ role: 'user', content: 'Hello' }],
});
console.log(message.content[0].text);`,
  ),
  js(
    'github',
    '@octokit/rest',
    REWRITES,
    ({ url }) => `import { Octokit } from '@octokit/rest';

const octokit = new Octokit({ auth: ${KEY}, baseUrl: '${url}' });
octokit.hook.before('request', ({ headers }) => {
  headers['service-rewrite'] = 'links';
});
const repositories = await octokit.paginate(octokit.rest.repos.listForAuthenticatedUser, { per_page: 1 });
console.log(repositories.map(({ name }) => name).join());`,
  ),
  js(
    'github',
    '@octokit/graphql',
    ENDS,
    ({ url }) => `import { graphql } from '@octokit/graphql';

const query = graphql.defaults({ baseUrl: '${url}', headers: { authorization: \`token \${${KEY}}\` } });
const { viewer } = await query('{ viewer { login } }');
console.log(viewer.login);`,
  ),
  js('stripe', 'stripe', 'The SDK accepts a host and no path, so it uses the host of the app.', ({ hostUrl }) => {
    const [, scheme = '', hostname = '', port = ''] = /^(https?):\/\/([^/:]+)(?::(\d+))?/.exec(hostUrl) ?? [];
    return `import Stripe from 'stripe';

const stripe = new Stripe(${KEY}, {
  host: '${hostname}',
  port: ${port || (scheme === 'https' ? 443 : 80)},
  protocol: '${scheme}',
});
for await (const customer of stripe.customers.list({ limit: 1 })) console.log(customer.id);`;
  }),
  js(
    'slack',
    '@slack/web-api',
    ENDS,
    ({ url }) => `import { WebClient } from '@slack/web-api';

const slack = new WebClient(${KEY}, { slackApiUrl: '${url}/api/' });
const { ts } = await slack.chat.postMessage({ channel: 'C012AB3CD', text: 'Hello' });
console.log(ts);`,
  ),
  js(
    'notion',
    '@notionhq/client',
    ENDS,
    ({ url }) => `import { Client } from '@notionhq/client';

const notion = new Client({ auth: ${KEY}, baseUrl: '${url}' });
const { name } = await notion.users.me({});
console.log(name);`,
  ),
  js(
    'google-drive',
    'google-auth-library',
    'The key takes the place of the access token.',
    ({ url }) => `import { OAuth2Client } from 'google-auth-library';

const google = new OAuth2Client();
google.setCredentials({ access_token: ${KEY} });
const { data } = await google.request({ url: '${url}/drive/v3/files' });
console.log(data.files[0].name);`,
  ),
  js(
    'google-drive',
    '@googleapis/drive',
    'The key takes the place of the access token. The SDK removes the path of its URL, so it uses the host of the app. Other packages of googleapis accept the same two options.',
    ({ hostUrl }) => `import { auth, drive } from '@googleapis/drive';

const google = new auth.OAuth2();
google.setCredentials({ access_token: ${KEY} });
const { data } = await drive({ version: 'v3', auth: google, rootUrl: '${hostUrl}/' }).files.list();
console.log(data.files[0].name);`,
  ),
  js(
    'shopify',
    '@shopify/admin-api-client',
    'The SDK accepts a host and no path, so it uses the host of the app. It always uses https, which `customFetchApi` replaces for a gateway without TLS.',
    ({ hostUrl }) => `import { createAdminApiClient } from '@shopify/admin-api-client';

const shop = createAdminApiClient({
  storeDomain: '${hostUrl.replace(/^https?:\/\//, '')}',
  apiVersion: '2026-07',
  accessToken: ${KEY},${
    hostUrl.startsWith('http:')
      ? `
  customFetchApi: (url, init) => fetch(url.replace('https:', 'http:'), init),`
      : ''
  }
});
const { data } = await shop.request('{ shop { name } }');
console.log(data.shop.name);`,
  ),
  js(
    'twilio',
    'twilio',
    'The key is the password, beside the account SID.',
    ({ url }) => `import twilio from 'twilio';

const client = twilio('AC00000000000000000000000000000000', ${KEY});
client.api.baseUrl = '${url}';
const { sid } = await client.messages.create({ from: '+15005550006', to: '+15005550009', body: 'Hello' });
console.log(sid);`,
  ),
  js(
    'hubspot',
    '@hubspot/api-client',
    ENDS,
    ({ url }) => `import { Client } from '@hubspot/api-client';

const hubspot = new Client({ accessToken: ${KEY}, basePath: '${url}' });
const { results } = await hubspot.crm.contacts.basicApi.getPage(1);
console.log(results[0].id);`,
  ),
  js(
    'jira',
    'jira.js',
    'The key is the API token, beside any email address.',
    ({ url }) => `import { Version3Client } from 'jira.js';

const jira = new Version3Client({
  host: '${url}',
  authentication: { basic: { email: 'me@example.com', apiToken: ${KEY} } },
});
const issue = await jira.issues.getIssue({ issueIdOrKey: 'TEST-1' });
console.log(issue.key);`,
  ),
  js(
    'gitlab',
    '@gitbeaker/rest',
    ENDS,
    ({ url }) => `import { Gitlab } from '@gitbeaker/rest';

const gitlab = new Gitlab({ token: ${KEY}, host: '${url}' });
const projects = await gitlab.Projects.all({ perPage: 1 });
console.log(projects.map(({ name }) => name).join());`,
  ),
  {
    app: 'github',
    name: 'requests',
    language: 'python',
    note: 'The header asks for links of the gateway: otherwise the next page would be requested at the vendor.',
    code: ({ url }) => `import os
import requests

session = requests.Session()
session.headers.update({"Authorization": f"token {os.environ['API_KEY']}", "Service-Rewrite": "links"})
url = "${url}/user/repos?per_page=1"
while url:
    response = session.get(url)
    response.raise_for_status()
    print(response.json()[0]["name"])
    url = response.links.get("next", {}).get("url")`,
  },
  {
    app: 'github',
    name: 'httpx',
    language: 'python',
    note: 'The header asks for links and redirects of the gateway.',
    code: ({ url }) => `import os
import httpx

headers = {"Authorization": f"Bearer {os.environ['API_KEY']}", "Service-Rewrite": "links"}
with httpx.Client(base_url="${url}", headers=headers, follow_redirects=True) as client:
    print(client.get("/user/repos", params={"per_page": 1}).json()[0]["name"])`,
  },
  {
    app: 'stripe',
    name: 'curl',
    language: 'bash',
    note: 'The key is the user, as in the examples of the vendor.',
    code: ({ url }) => `curl -s "${url}/v1/customers?limit=1" -u "$API_KEY:"`,
  },
];
