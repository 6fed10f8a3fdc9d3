export const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

/** Files at the root come first, then folders, both by name. */
export function byFolder(a: string, b: string): number {
  const folders = folderOf(a).localeCompare(folderOf(b));
  return folders === 0 ? a.localeCompare(b) : folders;
}
