import { type AppDefinition, bearerKey, defineApp, get, secret } from '../../definition.ts';

export const mapsTravelApps: readonly AppDefinition[] = [
  defineApp({
    app: 'mapbox',
    name: 'Mapbox',
    description: 'Maps, geocoding and directions.',
    category: 'developer',
    base_url: 'https://api.mapbox.com',
    docs_url: 'https://docs.mapbox.com/api/',
    icon: 'siMapbox',
    methods: [
      {
        method: 'API_KEY',
        fields: [secret('api_key', 'Access token', 'Account → Access tokens.')],
        put: [{ in: 'query', name: 'access_token', template: '{api_key}' }],
      },
    ],
    evidence: {
      verified: '2026-11-28',
      vendor: ['mapbox/mapbox-sdk-js lib/constants.js'],
      others: ['trufflesecurity/trufflehog pkg/detectors/mapbox/mapbox.go', 'geopy/geopy geopy/geocoders/mapbox.py'],
    },
  }),
  defineApp({
    app: 'google-maps',
    name: 'Google Maps',
    description: 'Geocoding, directions, places and distances.',
    category: 'developer',
    base_url: 'https://maps.googleapis.com',
    docs_url: 'https://developers.google.com/maps/documentation/geocoding/overview',
    icon: 'siGooglemaps',
    methods: [
      {
        method: 'API_KEY',
        fields: [secret('api_key', 'API key', 'Google Cloud console → Google Maps Platform → Keys & credentials.')],
        put: [{ in: 'query', name: 'key', template: '{api_key}' }],
      },
    ],
    evidence: {
      verified: '2026-11-28',
      vendor: ['googlemaps/google-maps-services-js src/geocode/geocode.ts'],
      others: ['simstudioai/sim apps/sim/tools/google_maps', 'geopy/geopy geopy/geocoders/google.py'],
    },
  }),
  defineApp({
    app: 'tomtom',
    name: 'TomTom',
    description: 'Maps, traffic, geocoding and routes.',
    category: 'developer',
    base_url: 'https://api.tomtom.com',
    docs_url: 'https://developer.tomtom.com/documentation',
    icon: 'siTomtom',
    methods: [
      {
        method: 'API_KEY',
        fields: [secret('api_key', 'API key', null)],
        put: [{ in: 'query', name: 'key', template: '{api_key}' }],
      },
    ],
    evidence: {
      verified: '2026-11-28',
      vendor: [],
      others: ['trufflesecurity/trufflehog pkg/detectors/tomtom/tomtom.go', 'geopy/geopy geopy/geocoders/tomtom.py'],
    },
  }),
  defineApp({
    app: 'opencage',
    name: 'OpenCage',
    description: 'Geocoding with open data.',
    category: 'developer',
    base_url: 'https://api.opencagedata.com',
    docs_url: 'https://opencagedata.com/api',
    methods: [
      {
        method: 'API_KEY',
        fields: [secret('api_key', 'API key', null)],
        put: [{ in: 'query', name: 'key', template: '{api_key}' }],
      },
    ],
    evidence: {
      verified: '2026-11-28',
      vendor: [],
      others: [
        'trufflesecurity/trufflehog pkg/detectors/opencagedata/opencagedata.go',
        'geopy/geopy geopy/geocoders/opencage.py',
      ],
    },
  }),
  defineApp({
    app: 'geocodio',
    name: 'Geocodio',
    description: 'Geocoding and census data of the USA and Canada.',
    category: 'developer',
    base_url: 'https://api.geocod.io',
    docs_url: 'https://www.geocod.io/docs/',
    methods: [
      {
        method: 'API_KEY',
        fields: [secret('api_key', 'API key', null)],
        put: [{ in: 'query', name: 'api_key', template: '{api_key}' }],
      },
    ],
    evidence: {
      verified: '2026-11-28',
      vendor: [],
      others: [
        'trufflesecurity/trufflehog pkg/detectors/geocodio/geocodio.go',
        'geopy/geopy geopy/geocoders/geocodio.py',
      ],
    },
  }),
  defineApp({
    app: 'openweather',
    name: 'OpenWeather',
    description: 'Weather: current, forecast and history.',
    category: 'developer',
    base_url: 'https://api.openweathermap.org',
    docs_url: 'https://openweathermap.org/api',
    methods: [
      {
        method: 'API_KEY',
        fields: [secret('api_key', 'API key', null)],
        put: [{ in: 'query', name: 'appid', template: '{api_key}' }],
      },
    ],
    probe: get('/data/2.5/weather?id=524901'),
    evidence: {
      verified: '2026-11-28',
      vendor: [],
      others: [
        'trufflesecurity/trufflehog pkg/detectors/openweather/openweather.go',
        'airbytehq/airbyte airbyte-integrations/connectors/source-openweather/source_openweather/manifest.yaml',
      ],
    },
  }),
  defineApp({
    app: 'duffel',
    name: 'Duffel',
    description: 'Search, booking and change of flights and stays.',
    category: 'commerce',
    base_url: 'https://api.duffel.com',
    docs_url: 'https://duffel.com/docs/api',
    default_headers: { 'Duffel-Version': 'v2' },
    methods: [bearerKey(secret('api_key', 'Access token', 'More → Developers → Access tokens.'))],
    evidence: {
      verified: '2026-11-28',
      vendor: ['duffelhq/duffel-api-javascript src/Client.ts'],
      others: ['trufflesecurity/trufflehog pkg/detectors/duffeltoken/duffeltoken.go'],
    },
  }),
];
