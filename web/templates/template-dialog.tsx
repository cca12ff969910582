import { type ReactNode, useId, useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { alertTypes, type Template, type TemplateInput } from '../../common/templates/model.ts';
import { templateVariables } from '../../common/templates/variables.ts';
import { Confirm } from '../ui/confirm.tsx';
import { FormDialog } from '../ui/dialog.tsx';
import { Field, TextAreaField } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { Switch } from '../ui/switch.tsx';
import { RenderedText } from './rendered-text.tsx';
import { useTemplateForm } from './use-template-form.ts';

/** The form for a new or an existing template. Mounted only while open, so every opening starts fresh. */
export function TemplateDialog(props: {
  template: Template | null;
  /** Suggested types; any other is accepted. */
  types: readonly string[];
  onClose: () => void;
}) {
  const { template, types, onClose } = props;
  const { form, submit, failure, creates } = useTemplateForm(template, onClose);
  const { isSubmitting: busy, isDirty } = form.formState;
  const [discarding, setDiscarding] = useState(false);
  return (
    <FormDialog
      // Escape or a click outside may be accidental; 'Cancel' is not, so it closes at once.
      onClose={() => (isDirty ? setDiscarding(true) : onClose())}
      onCancel={onClose}
      busy={busy}
      title={template === null ? 'Create Template' : 'Edit Template'}
      verb={creates ? 'Create Template' : 'Save Template'}
      onSubmit={submit}
    >
      <Fields form={form} types={types} />
      {failure !== null && (
        <div role="alert">
          <Notice tone="danger">{failure}</Notice>
        </div>
      )}
      <RenderedText template={form.watch('template')} />
      <Confirm
        open={discarding}
        title="Discard your changes?"
        verb="Discard"
        onCancel={() => setDiscarding(false)}
        onConfirm={onClose}
      >
        The template is not saved yet.
      </Confirm>
    </FormDialog>
  );
}

function Fields({ form, types }: { form: UseFormReturn<TemplateInput>; types: readonly string[] }) {
  const { register, setValue, watch, formState } = form;
  const { errors } = formState;
  const typesId = useId();
  return (
    <>
      <Field label="Name" autoComplete="off" data-autofocus error={errors.name?.message} {...register('name')} />
      <div>
        <Field
          label="Type"
          autoComplete="off"
          spellCheck={false}
          list={typesId}
          hint={`Alerts use ${alertTypes.join(', ')}. Any other type is stored for later.`}
          error={errors.type?.message}
          {...register('type')}
        />
        <datalist id={typesId}>
          {types.map((type) => (
            <option key={type} value={type} />
          ))}
        </datalist>
      </div>
      <TextAreaField
        label="Content"
        rows={6}
        hint={<VariableNames />}
        error={errors.template?.message}
        {...register('template')}
      />
      <Switch
        label="Set as Default"
        hint="Alerts of this type use its default template."
        checked={watch('isDefault')}
        onChange={(isDefault) => setValue('isDefault', isDefault, { shouldDirty: true })}
      />
      {errors.isDefault?.message !== undefined && <p className="text-down text-xs">{errors.isDefault.message}</p>}
    </>
  );
}

function VariableNames(): ReactNode {
  return (
    <>
      Variables:{' '}
      {templateVariables.map(({ name }) => (
        <code key={name} className="mr-1.5 inline-block font-mono text-muted">
          {`{${name}}`}
        </code>
      ))}
    </>
  );
}
