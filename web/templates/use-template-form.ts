import { zodResolver } from '@hookform/resolvers/zod';
import { type SyntheticEvent, useState } from 'react';
import { type UseFormReturn, useForm } from 'react-hook-form';
import { plainWords } from '../../common/field-errors.ts';
import { templateCalls } from '../../common/templates/http.ts';
import { type Template, type TemplateInput, templateInputSchema } from '../../common/templates/model.ts';
import { request } from '../http/client.ts';
import { HttpError, serverFieldErrors } from '../http/error.ts';
import { toast } from '../ui/toast-store.ts';
import { serverMessage, useTemplateUpdate } from './use-templates.ts';

const fields = ['name', 'type', 'template', 'isDefault'] as const;
const blank: TemplateInput = { name: '', type: '', template: '', isDefault: false };
const DELETED =
  'This template was deleted in the meantime. What you entered is still here: Create Template saves it as a new one.';

interface TemplateForm {
  form: UseFormReturn<TemplateInput>;
  submit: (event: SyntheticEvent) => Promise<void>;
  /** Error text of the last attempt; null when it did not fail. */
  failure: string | null;
  /** Whether submitting creates a template: for a new one, and when the edited one was deleted. */
  creates: boolean;
}

/** Manages the form of a new template (`template` is null) or an existing one. A failure keeps all input. */
export function useTemplateForm(template: Template | null, onDone: () => void): TemplateForm {
  const { apply, refetch } = useTemplateUpdate();
  const [failure, setFailure] = useState<string | null>(null);
  const [deleted, setDeleted] = useState(false);
  const creates = template === null || deleted;
  const form = useForm<TemplateInput>({
    resolver: zodResolver(templateInputSchema, { error: plainWords }),
    defaultValues: template === null ? blank : inputOf(template),
  });

  async function save(body: TemplateInput): Promise<void> {
    const { data } = creates
      ? await request(templateCalls.create, { body })
      : await request(templateCalls.change, { params: { id: template.id }, body });
    apply({ saved: data });
    toast({ title: creates ? 'Template created' : 'Template updated', description: `“${data.name}” is saved.` });
  }

  async function submitValid(body: TemplateInput): Promise<void> {
    setFailure(null);
    try {
      await save(body);
    } catch (reason) {
      for (const [name, message] of serverFieldErrors(reason, fields)) form.setError(name, { message });
      const isDeleted = !creates && reason instanceof HttpError && reason.code === 'not-found';
      const text = isDeleted ? DELETED : serverMessage(reason, `Failed to ${creates ? 'create' : 'update'} template`);
      if (isDeleted) setDeleted(true);
      setFailure(text);
      toast({ title: creates ? 'Creation failed' : 'Update failed', description: text, variant: 'destructive' });
      refetch();
      return;
    }
    onDone();
  }

  return { form, submit: form.handleSubmit(submitValid), failure, creates };
}

/** Returns the editable fields, without those the server adds. */
function inputOf({ name, type, template, isDefault }: TemplateInput): TemplateInput {
  return { name, type, template, isDefault };
}
