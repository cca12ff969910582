import { zodResolver } from '@hookform/resolvers/zod';
import { type SyntheticEvent, useState } from 'react';
import { type UseFormReturn, useForm } from 'react-hook-form';
import { plainWords } from '../../common/field-errors.ts';
import { templateCalls } from '../../common/templates/http.ts';
import { type Template, type TemplateInput, templateInputSchema } from '../../common/templates/model.ts';
import { request } from '../http/client.ts';
import { HttpError } from '../http/error.ts';
import { serverFieldErrors } from '../http/field-errors.ts';
import { toast } from '../ui/toast-store.ts';
import { toldText } from './told-text.ts';
import { useRefreshTemplates, useTakeTemplate } from './use-templates.ts';

const fields = ['name', 'type', 'template', 'isDefault'] as const;
const blank: TemplateInput = { name: '', type: '', template: '', isDefault: false };
const GONE =
  'This template was deleted in the meantime. What you entered is still here: Create Template saves it as a new one.';

export interface TemplateForm {
  form: UseFormReturn<TemplateInput>;
  submit: (event: SyntheticEvent) => Promise<void>;
  /** Why the last attempt failed; null while none has. */
  failure: string | null;
  /** Submitting makes a new template: there was none, or it is not there any more. */
  creates: boolean;
}

/** The form of a new template (`template` is null) or of one that is there. A failure leaves everything as it was typed. */
export function useTemplateForm(template: Template | null, onDone: () => void): TemplateForm {
  const take = useTakeTemplate();
  const refresh = useRefreshTemplates();
  const [failure, setFailure] = useState<string | null>(null);
  const [gone, setGone] = useState(false);
  const creates = template === null || gone;
  const form = useForm<TemplateInput>({
    resolver: zodResolver(templateInputSchema, { error: plainWords }),
    defaultValues: template === null ? blank : inputOf(template),
  });

  async function save(body: TemplateInput): Promise<void> {
    const { data } = creates
      ? await request(templateCalls.create, { body })
      : await request(templateCalls.change, { params: { id: template.id }, body });
    take({ saved: data });
    toast({ title: creates ? 'Template created' : 'Template updated', description: `“${data.name}” is saved.` });
  }

  async function submitValid(body: TemplateInput): Promise<void> {
    setFailure(null);
    try {
      await save(body);
    } catch (reason) {
      for (const [name, message] of serverFieldErrors(reason, fields)) form.setError(name, { message });
      const deleted = !creates && reason instanceof HttpError && reason.code === 'not-found';
      const text = deleted ? GONE : toldText(reason, `Failed to ${creates ? 'create' : 'update'} template`);
      if (deleted) setGone(true);
      setFailure(text);
      toast({ title: creates ? 'Creation failed' : 'Update failed', description: text, variant: 'destructive' });
      refresh();
      return;
    }
    onDone();
  }

  return { form, submit: form.handleSubmit(submitValid), failure, creates };
}

/** Without what the server adds. */
function inputOf({ name, type, template, isDefault }: TemplateInput): TemplateInput {
  return { name, type, template, isDefault };
}
