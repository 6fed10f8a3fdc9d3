/** The operations with what each is called in words (see scripts/vite-routes.ts). */
declare module '*/contract/routes.ts?worded' {
  export const routes: typeof import('../contract/routes.ts').routes;
}
