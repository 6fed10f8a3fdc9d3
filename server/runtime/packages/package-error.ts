/** Why a package cannot be used, worded for the function's author. */
export class PackageError extends Error {
  override name = 'PackageError';
}
