/** All lines are new, or all are gone: there are no two sides to show. */
export const isOneSided = ({ original, modified }: { original: string; modified: string }): boolean =>
  original === '' || modified === '';
