import { type ComponentType, useEffect, useMemo } from 'react';
import { useWatch } from 'react-hook-form';
import type { AuthMethod } from '../../../../contract/states.ts';
import { ApiError } from '../../../api/api-error.ts';
import { UnsavedChanges } from '../../../components/UnsavedChanges.tsx';
import { ChangedElsewhere } from '../../../forms/ChangedElsewhere.tsx';
import { Form } from '../../../forms/Form.tsx';
import { useSchemaForm } from '../../../forms/use-schema-form.ts';
import { OpenApiStart } from '../openapi/OpenApiStart.tsx';
import { valuesOfDraft } from '../openapi/openapi-values.ts';
import { Section } from '../Section.tsx';
import { AppPart, CallsPart } from './AppPart.tsx';
import { appSchema } from './check.ts';
import { EventsPart } from './EventsPart.tsx';
import { ExamplePart } from './ExamplePart.tsx';
import type { FormPart } from './form-control.ts';
import { GatewayPart } from './GatewayPart.tsx';
import { JwtFields } from './JwtFields.tsx';
import { KeyFields } from './KeyFields.tsx';
import { METHOD_WORDS, MethodChoice } from './MethodChoice.tsx';
import { OAuth1Fields, OAuth2Fields } from './OAuthFields.tsx';
import { BasicFields, McpFields } from './PlainFields.tsx';
import { type AppValues, formNamed, idFrom, usedOf } from './values.ts';

const FIELDS: Record<AuthMethod, ComponentType<FormPart>> = {
  API_KEY: KeyFields,
  BASIC: BasicFields,
  JWT: JwtFields,
  OAUTH1: OAuth1Fields,
  OAUTH2: OAuth2Fields,
  MCP: McpFields,
};

export interface CustomAppFormProps {
  /** Initial values: empty, or those of an existing app. */
  readonly start: AppValues;
  readonly isNew: boolean;
  readonly submitLabel: string;
  readonly reason: string | undefined;
  readonly error: ApiError | null;
  readonly pending: boolean;
  /** Called after saving: there are no unsaved changes. */
  readonly done: boolean;
  /** `before` are the initial values. */
  readonly onSubmit: (values: AppValues, before: AppValues) => void;
  readonly onCancel: () => void;
  readonly curl: (values: AppValues, before: AppValues) => Promise<string>;
}

/** The form of a custom app, with a live preview of the request. */
export function CustomAppForm(props: CustomAppFormProps) {
  const { start, isNew, submitLabel, reason, error, pending, done, onSubmit, onCancel, curl } = props;
  const form = useSchemaForm(appSchema, start);
  const { control, setValue, formState } = form;
  const [name, uses] = useWatch({ control, name: ['name', 'uses'] });
  const used = usedOf({ uses });
  // a new object per rejection: the form shows and focuses each once
  const refused = useMemo(() => error && inFormWords(error, usedOf({ uses })), [error, uses]);
  const before = formState.defaultValues as AppValues;
  const idIsOwn = !isNew || Boolean(formState.dirtyFields.app);
  // the ID follows the name until it is edited
  useEffect(() => {
    if (!idIsOwn) setValue('app', idFrom(name));
  }, [name, idIsOwn, setValue]);
  return (
    <div className="min-h-full border-t border-line xl:flex">
      <section aria-label="Custom app" className="px-4 py-4 max-sm:px-3 xl:w-[720px]">
        {isNew ? (
          <OpenApiStart
            onUse={(draft, baseUrl) => {
              const drafted = valuesOfDraft(draft, baseUrl);
              form.reset(drafted, { keepDefaultValues: true });
              setValue('app', idFrom(drafted.name));
            }}
          />
        ) : null}
        <Form
          form={form}
          onSubmit={(values) => onSubmit(values, before)}
          submitError={refused}
          loading={pending}
          submitLabel={submitLabel}
          submitReason={reason}
          onCancel={onCancel}
          saveKey={!isNew}
          curl={() => curl(form.getValues(), before)}
        >
          <UnsavedChanges dirty={formState.isDirty && !done} what="Your changes to this app" />
          {isNew ? null : (
            <ChangedElsewhere form={form} latest={start} noun="app" id={start.app} saving={pending || done} />
          )}
          <AppPart control={control} isNew={isNew} needsAddress={used.some((method) => method !== 'MCP')} />
          <MethodChoice control={control} />
          {used.map((method) => {
            const Fields = FIELDS[method];
            return (
              <section
                key={method}
                aria-label={METHOD_WORDS[method].title}
                className="grid gap-4 border-t border-line pt-4"
              >
                <h2 className="text-14">{METHOD_WORDS[method].title}</h2>
                <Fields control={control} setValue={setValue} />
              </section>
            );
          })}
          <section aria-label="Every call" className="grid gap-4 border-t border-line pt-4">
            <h2 className="text-14">Every call</h2>
            <CallsPart control={control} />
          </section>
          <section aria-label="Gateway" className="grid gap-4 border-t border-line pt-4">
            <h2 className="text-14">Gateway</h2>
            <GatewayPart control={control} />
          </section>
          <section aria-label="Webhooks" className="grid gap-4 border-t border-line pt-4">
            <h2 className="text-14">Webhooks</h2>
            <EventsPart control={control} />
          </section>
        </Form>
      </section>
      <div className="border-line max-xl:border-t xl:min-w-[400px] xl:flex-1 xl:border-l">
        <div className="xl:sticky xl:top-0">
          <Section title="Request preview">
            <ExamplePart control={control} />
          </Section>
        </div>
      </div>
    </div>
  );
}

/** The rejection, with field paths of the form. */
function inFormWords(error: ApiError, used: readonly AuthMethod[]): ApiError {
  const { status, type, requestId, problems, retryAfterMs } = error;
  return new ApiError({ status, type, requestId, problems, retryAfterMs, message: formNamed(error.message, used) });
}
