/** Why a package can't be used, in words for the function's author. */
export class PackageError extends Error {
  override name = 'PackageError';
}
