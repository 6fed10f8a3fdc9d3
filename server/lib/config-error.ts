/** An invalid setting. The message names the variable and the expected value. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}
