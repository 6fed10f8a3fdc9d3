/** Settings without the limits per account and webhook URL: a benchmark sends for one account. */
export const UNLIMITED = {
  SLUICE_RATE_LIMIT: '1000000',
  SLUICE_HOOK_RATE: '1000000',
  SLUICE_ACCOUNT_HOOK_RATE: '1000000',
};
