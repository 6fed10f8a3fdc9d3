/** The pages of docs/, made by scripts/vite-docs.ts. */
declare module 'virtual:docs-index' {
  type Heading = readonly [depth: number, id: string, text: string];
  /** By path; the page '' is the index of the documentation. */
  const index: readonly (readonly [page: string, title: string, headings: readonly Heading[]])[];
  export default index;
}
