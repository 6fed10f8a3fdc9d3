/**
 * Settings of the measured services: without the limits per account and webhook URL, because a benchmark sends for one
 * account. The CPU share of functions is the default of the service, which tests turn off.
 */
export const SETTINGS = {
  SLUICE_RATE_LIMIT: '1000000',
  SLUICE_HOOK_RATE: '1000000',
  SLUICE_ACCOUNT_HOOK_RATE: '1000000',
  SLUICE_ACCOUNT_CPU_PERCENT: '',
};
