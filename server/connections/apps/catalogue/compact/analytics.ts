import {
  type ApiKeyMethod,
  type AppDefinition,
  basic,
  bearerKey,
  clientCredentials,
  defineApp,
  get,
  headerKey,
  oauth2,
  secret,
  text,
} from '../../definition.ts';
import { google } from '../../google.ts';

/** The host of an own instance. */
const HOST = '(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\\.)+[a-z]{2,}';
const databricks = bearerKey(secret('api_key', 'Personal access token', 'Settings → Developer → Access tokens.'));
const langfuse = basic(
  text('username', 'Public key', 'Project settings → API keys. It starts with pk-lf-.'),
  secret('secret_key', 'Secret key', 'It starts with sk-lf-.'),
);
const elasticHost = text(
  'host',
  'Host',
  'The endpoint without https://, with its port, such as es.example.com:9200.',
  '[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?(?::[0-9]{1,5})?',
);
const elasticKey = headerKey(
  secret('api_key', 'API key', 'The encoded form, in Base64.'),
  'Authorization',
  'ApiKey {api_key}',
);
const elasticUser = basic(text('username', 'User name', null), secret('password', 'Password', null));
const snowflake: ApiKeyMethod = {
  method: 'API_KEY',
  fields: [
    text(
      'account',
      'Account',
      'The account identifier: the part before .snowflakecomputing.com.',
      '[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?',
    ),
    secret('api_key', 'Programmatic access token', 'Settings → Authentication → Programmatic access tokens.'),
  ],
  put: [
    { in: 'header', name: 'Authorization', template: 'Bearer {api_key}' },
    { in: 'header', name: 'X-Snowflake-Authorization-Token-Type', template: 'PROGRAMMATIC_ACCESS_TOKEN' },
  ],
};

export const analyticsApps: readonly AppDefinition[] = [
  defineApp({
    app: 'chartmogul',
    name: 'ChartMogul',
    description: 'Subscription metrics: customers, plans, MRR.',
    category: 'analytics',
    base_url: 'https://api.chartmogul.com',
    docs_url: 'https://dev.chartmogul.com/reference',
    methods: [{ method: 'BASIC', fields: [secret('api_key', 'API key', null)], username: '{api_key}', password: '' }],
    probe: get('/v1/ping'),
    evidence: {
      verified: '2026-11-28',
      vendor: [],
      others: [
        'amp-labs/connectors providers/chartMogul.go',
        'trufflesecurity/trufflehog pkg/detectors/chartmogul/chartmogul.go',
      ],
    },
  }),
  defineApp({
    app: 'geckoboard',
    name: 'Geckoboard',
    description: 'Datasets of dashboards.',
    category: 'analytics',
    base_url: 'https://api.geckoboard.com',
    docs_url: 'https://developer.geckoboard.com',
    methods: [{ method: 'BASIC', fields: [secret('api_key', 'API key', null)], username: '{api_key}', password: '' }],
    probe: get('/'),
    evidence: {
      verified: '2026-11-28',
      vendor: [],
      others: [
        'amp-labs/connectors providers/geckoboard.go',
        'trufflesecurity/trufflehog pkg/detectors/geckoboard/geckoboard.go',
      ],
    },
  }),
  defineApp({
    app: 'surveymonkey',
    name: 'SurveyMonkey',
    description: 'Surveys and their responses.',
    category: 'analytics',
    base_url: 'https://api.surveymonkey.com',
    docs_url: 'https://developer.surveymonkey.com/api/v3/',
    icon: 'siSurveymonkey',
    methods: [
      oauth2({
        authorize_url: 'https://api.surveymonkey.com/oauth/authorize',
        token_url: 'https://api.surveymonkey.com/oauth/token',
        pkce: false,
      }),
    ],
    probe: get('/v3/users/me'),
    evidence: {
      verified: '2026-11-28',
      vendor: [],
      others: [
        'amp-labs/connectors providers/surveyMonkey.go',
        'automatisch/automatisch packages/backend/src/apps/surveymonkey',
      ],
    },
  }),
  defineApp({
    app: 'google-bigquery',
    name: 'Google BigQuery',
    description: 'Datasets, tables and SQL queries of a data warehouse.',
    category: 'analytics',
    base_url: 'https://bigquery.googleapis.com',
    docs_url: 'https://cloud.google.com/bigquery/docs/reference/rest',
    icon: 'siGooglebigquery',
    methods: [...google(['https://www.googleapis.com/auth/bigquery'])],
    probe: get('/bigquery/v2/projects'),
    evidence: {
      verified: '2026-11-28',
      vendor: [],
      others: ['amp-labs/connectors providers/bigquery.go', 'simstudioai/sim apps/sim/tools/google_bigquery'],
    },
  }),
  defineApp({
    app: 'databricks',
    name: 'Databricks',
    description: 'Jobs, clusters, SQL warehouses and files of a workspace.',
    category: 'analytics',
    base_url: 'https://{host}',
    docs_url: 'https://docs.databricks.com/api/workspace/introduction',
    icon: 'siDatabricks',
    methods: [
      {
        ...databricks,
        fields: [
          text('host', 'Host', 'The host of the workspace, such as dbc-a1b2345c-d6e7.cloud.databricks.com.', HOST),
          ...databricks.fields,
        ],
      },
    ],
    probe: get('/api/2.0/preview/scim/v2/Me'),
    evidence: {
      verified: '2026-11-28',
      vendor: [],
      others: [
        'trufflesecurity/trufflehog pkg/detectors/databrickstoken/databrickstoken.go',
        'simstudioai/sim apps/sim/tools/databricks',
      ],
    },
  }),
  defineApp({
    app: 'snowflake',
    name: 'Snowflake',
    description: 'SQL statements, databases and warehouses of an account.',
    category: 'analytics',
    base_url: 'https://{account}.snowflakecomputing.com',
    docs_url: 'https://docs.snowflake.com/en/developer-guide/sql-api/reference',
    icon: 'siSnowflake',
    methods: [snowflake],
    evidence: {
      verified: '2026-11-28',
      vendor: ['https://docs.snowflake.com/en/developer-guide/sql-api/authenticating'],
      others: ['amp-labs/connectors providers/snowflake.go', 'simstudioai/sim apps/sim/tools/snowflake'],
    },
  }),
  defineApp({
    app: 'plausible',
    name: 'Plausible Analytics',
    description: 'Visits of websites: sites, goals and statistics.',
    category: 'analytics',
    base_url: 'https://plausible.io',
    docs_url: 'https://plausible.io/docs/stats-api',
    icon: 'siPlausibleanalytics',
    methods: [bearerKey(secret('api_key', 'API key', 'Settings → API keys.'))],
    evidence: {
      verified: '2026-11-28',
      vendor: ['plausible/docs docs/sites-api.md'],
      others: ['activepieces/activepieces packages/pieces/community/plausible/src/lib/common/index.ts'],
    },
  }),
  defineApp({
    app: 'fivetran',
    name: 'Fivetran',
    description: 'Connections, destinations and syncs of data pipelines.',
    category: 'analytics',
    base_url: 'https://api.fivetran.com',
    docs_url: 'https://fivetran.com/docs/rest-api',
    methods: [basic(secret('api_key', 'API key', 'Your user → API key.'), secret('api_secret', 'API secret', null))],
    evidence: {
      verified: '2026-11-28',
      vendor: ['fivetran/go-fivetran client.go'],
      others: ['dagster-io/dagster python_modules/libraries/dagster-fivetran/dagster_fivetran/resources.py'],
    },
  }),
  defineApp({
    app: 'baremetrics',
    name: 'Baremetrics',
    description: 'Subscription metrics: customers, plans, MRR and churn.',
    category: 'analytics',
    base_url: 'https://api.baremetrics.com',
    docs_url: 'https://developers.baremetrics.com/reference',
    icon: 'siBaremetrics',
    methods: [bearerKey(secret('api_key', 'API key', null))],
    probe: get('/v1/account'),
    evidence: {
      verified: '2026-11-28',
      vendor: [],
      others: [
        'trufflesecurity/trufflehog pkg/detectors/baremetrics/baremetrics.go',
        'activepieces/activepieces packages/pieces/community/baremetrics/src/lib/common/client.ts',
      ],
    },
  }),
  defineApp({
    app: 'google-analytics',
    name: 'Google Analytics',
    description: 'Reports of a property: users, sessions, pages and events.',
    category: 'analytics',
    base_url: 'https://analyticsdata.googleapis.com',
    docs_url: 'https://developers.google.com/analytics/devguides/reporting/data/v1/rest',
    icon: 'siGoogleanalytics',
    methods: [...google(['https://www.googleapis.com/auth/analytics.readonly'])],
    evidence: {
      verified: '2026-11-28',
      vendor: ['https://pub.dev/documentation/googleapis_beta/0.9.0/analyticsdata.v1beta/AnalyticsDataApi-class.html'],
      others: ['airbytehq/airbyte airbyte-integrations/connectors/source-google-analytics-data-api/manifest.yaml'],
    },
  }),
  defineApp({
    app: 'fullstory',
    name: 'FullStory',
    description: 'Sessions, users and events of a product.',
    category: 'analytics',
    base_url: 'https://api.fullstory.com',
    docs_url: 'https://developer.fullstory.com',
    methods: [headerKey(secret('api_key', 'API key', null), 'Authorization', 'Basic {api_key}')],
    probe: get('/me'),
    evidence: {
      verified: '2026-11-28',
      vendor: [],
      others: [
        'trufflesecurity/trufflehog pkg/detectors/fullstory/v2/fullstory_v2.go',
        'segmentio/action-destinations packages/destination-actions/src/destinations/fullstory/request-params.ts',
      ],
    },
  }),
  defineApp({
    app: 'domo',
    name: 'Domo',
    description: 'Datasets, users and groups of an instance.',
    category: 'analytics',
    base_url: 'https://api.domo.com',
    docs_url: 'https://developer.domo.com',
    methods: [
      clientCredentials({
        token_url: 'https://api.domo.com/oauth/token',
        client_auth: 'basic',
        scopes: ['data', 'user'],
      }),
    ],
    evidence: {
      verified: '2026-11-28',
      vendor: ['domoinc/domo-node-sdk src/common/Transport.ts'],
      others: ['amp-labs/connectors providers/domo.go'],
    },
  }),
  defineApp({
    app: 'langfuse',
    name: 'Langfuse',
    description: 'Traces, prompts and evaluations of language models.',
    category: 'ai',
    base_url: 'https://{host}',
    docs_url: 'https://langfuse.com/docs/api-and-data-platform/features/public-api',
    methods: [
      {
        ...langfuse,
        fields: [
          text('host', 'Host', 'cloud.langfuse.com, us.cloud.langfuse.com or your own host.', HOST),
          ...langfuse.fields,
        ],
      },
    ],
    probe: get('/api/public/projects'),
    evidence: {
      verified: '2026-11-28',
      vendor: ['langfuse/langfuse-js packages/client/src/LangfuseClient.ts'],
      others: ['trufflesecurity/trufflehog pkg/detectors/langfuse/langfuse.go'],
    },
  }),
  defineApp({
    app: 'elasticsearch',
    name: 'Elasticsearch',
    description: 'Indices, documents and searches of a cluster.',
    category: 'analytics',
    base_url: 'https://{host}',
    docs_url: 'https://www.elastic.co/docs/api/doc/elasticsearch',
    icon: 'siElasticsearch',
    methods: [
      { ...elasticKey, fields: [elasticHost, ...elasticKey.fields] },
      { ...elasticUser, fields: [elasticHost, ...elasticUser.fields] },
    ],
    probe: get('/_security/_authenticate'),
    evidence: {
      verified: '2026-11-28',
      vendor: ['elastic/elastic-transport-js src/connection/BaseConnection.ts'],
      others: ['simstudioai/sim apps/sim/tools/elasticsearch'],
    },
  }),
];
