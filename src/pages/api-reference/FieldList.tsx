import { type DocumentSchema, exampleOf, resolveSchema } from '../../../contract/text/example-of.ts';
import { Disclosure } from '../../ui/controls/Disclosure.tsx';
import { objectIn, type Parameter, type ReferenceDocument, typeText } from './reference-document.ts';
import { Inline } from './Words.tsx';

type Schemas = ReferenceDocument['components']['schemas'];

/** Nothing of the API is deeper; it bounds what a faulty document draws. */
const DEEPEST = 8;

function Row({
  name,
  type,
  required,
  text,
  example,
  children,
}: {
  name: string;
  type: string;
  required: boolean;
  text: string;
  example: unknown;
  children?: React.ReactNode;
}) {
  return (
    <li className="grid gap-0.5 border-b border-line py-2 last:border-b-0">
      <div className="flex min-w-0 flex-wrap items-baseline gap-x-2">
        <code className="data font-medium wrap-anywhere">{name}</code>
        <span className="min-w-0 text-12 wrap-anywhere text-fg-3">{type}</span>
        {required ? <span className="text-12 text-warn-fg">required</span> : null}
      </div>
      <div className="text-fg-2">
        <Inline text={text} />
      </div>
      {example === undefined ? null : (
        <div className="text-12 wrap-anywhere text-fg-3">
          Example: <code className="data">{JSON.stringify(example)}</code>
        </div>
      )}
      {children}
    </li>
  );
}

/** Parameters of an operation. */
export function ParameterList({ parameters, schemas }: { parameters: readonly Parameter[]; schemas: Schemas }) {
  return (
    <ul>
      {parameters.map(({ name, in: where, required = false, description = '', schema }) => (
        <Row
          key={where + name}
          name={name}
          type={`${typeText(schema, schemas)}, in the ${where}`}
          required={required}
          text={description}
          example={exampleOf(schema, schemas)}
        />
      ))}
    </ul>
  );
}

/** Fields of an object; objects within it open below their field. */
export function FieldList({
  schema,
  schemas,
  depth = 0,
}: {
  schema: DocumentSchema;
  schemas: Schemas;
  depth?: number;
}) {
  const found = objectIn(schema, schemas);
  const fields = Object.entries((found?.['properties'] ?? {}) as Record<string, DocumentSchema>);
  const required = new Set((found?.['required'] ?? []) as string[]);
  if (fields.length === 0) return <p className="py-2 text-fg-3">An object without fields.</p>;
  return (
    <ul>
      {fields.map(([name, each]) => {
        const inner = depth < DEEPEST ? objectIn(each, schemas) : undefined;
        return (
          <Row
            key={name}
            name={name}
            type={typeText(each, schemas)}
            required={required.has(name)}
            text={wordsOf(each, schemas)}
            example={inner ? undefined : exampleOf(each, schemas)}
          >
            {inner ? (
              <Disclosure summary={`Fields of ${name}`}>
                <div className="border-l border-line-2 pl-3">
                  <FieldList schema={inner} schemas={schemas} depth={depth + 1} />
                </div>
              </Disclosure>
            ) : null}
          </Row>
        );
      })}
    </ul>
  );
}

/** The words of a field, or those of the object in it. */
function wordsOf(schema: DocumentSchema, schemas: Schemas): string {
  const text = resolveSchema(schema, schemas)['description'];
  return typeof text === 'string' ? text : String(objectIn(schema, schemas)?.['description'] ?? '');
}
