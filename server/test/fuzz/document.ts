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
type Content = { content?: Record<string, { schema: Schema }> };
type Described = {
  operationId: string;
  security?: unknown[];
  parameters: (Parameter | Ref)[];
  requestBody?: Content & { required: boolean };
  responses: Record<string, Content | Ref>;
};
export type Document = { paths: Record<string, Record<string, Described>>; components: Schema };

export function operationsOf(document: Document): Operation[] {
  const resolve = <T>(value: T | Ref): T =>
    typeof value === 'object' && value !== null && '$ref' in value
      ? (value.$ref
          .slice(2)
          .split('/')
          .reduce<unknown>((at, name) => (at as Schema)[name], document) as T)
      : (value as T);
  const jsonOf = (value: Content | undefined) => value?.content?.['application/json']?.schema;
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => {
      const body = jsonOf(described.requestBody);
      return {
        id: described.operationId,
        method: method.toUpperCase(),
        path,
        isPublic: described.security?.length === 0,
        parameters: described.parameters.map((each) => resolve<Parameter>(each)),
        body: body && { required: described.requestBody?.required ?? false, schema: body },
        responses: new Map(
          Object.entries(described.responses).map(([status, response]) => {
            const schema = jsonOf(resolve<Content>(response));
            return [Number(status), schema && resolve<Schema>(schema as unknown as Ref)];
          }),
        ),
      };
    }),
  );
}
