/** The parts of the OpenAPI document that the fuzzer reads. */
export type Schema = { [name: string]: unknown };
export type Parameter = { name: string; in: 'path' | 'query' | 'header'; required: boolean; schema: Schema };
export type Operation = {
  id: string;
  method: string;
  path: string;
  isPublic: boolean;
  parameters: Parameter[];
  body: { required: boolean; schema: Schema } | undefined;
  /** Schemas by status; undefined for a response without a JSON schema. */
  responses: Map<number, Schema | undefined>;
};

type Ref = { $ref: string };
type Content = { content?: Record<string, { schema: Schema; examples?: Record<string, unknown> }> };
type Described = {
  operationId: string;
  security?: unknown[];
  parameters: (Parameter | Ref)[];
  requestBody?: Content & { required: boolean };
  responses: Record<string, Content | Ref>;
};
export type Document = { paths: Record<string, Record<string, Described>>; components: Schema };

/** Reads references to components; the same reference gives the same object. */
function createResolver(document: Document) {
  const known = new Map<string, unknown>();
  const resolve = <T>(value: T | Ref): T => {
    if (typeof value !== 'object' || value === null) return value as T;
    if (Array.isArray(value)) return value.map((each) => resolve(each)) as T;
    if (!('$ref' in value))
      return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, resolve(each)])) as T;
    const { $ref, ...beside } = value;
    if (!known.has($ref)) {
      const path = $ref.slice(2).split('/');
      known.set($ref, resolve(path.reduce<unknown>((at, name) => (at as Schema)[name], document)));
    }
    const found = known.get($ref) as T;
    return Object.keys(beside).length === 0 ? found : { ...found, ...beside };
  };
  return resolve;
}

export function operationsOf(document: Document): Operation[] {
  const resolve = createResolver(document);
  const jsonOf = (value: Content | undefined) => value?.content?.['application/json'];
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => {
      const body = jsonOf(resolve(described.requestBody));
      return {
        id: described.operationId,
        method: method.toUpperCase(),
        path,
        isPublic: described.security?.length === 0,
        parameters: described.parameters.map((each) => resolve<Parameter>(each)),
        body: body && { required: described.requestBody?.required ?? false, schema: body.schema },
        responses: new Map(
          Object.entries(described.responses).flatMap(([status, response]) => {
            const json = jsonOf(resolve<Content>(response));
            // `default` has an example of each status.
            const statuses = status === 'default' ? Object.keys(json?.examples ?? {}) : [status];
            return statuses.map((each) => [Number(each), json?.schema] as const);
          }),
        ),
      };
    }),
  );
}
