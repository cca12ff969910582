import { zodResolver } from '@hookform/resolvers/zod';
import { type SyntheticEvent, useState } from 'react';
import { type UseFormReturn, useForm } from 'react-hook-form';
import { plainWords } from '../../common/field-errors.ts';
import { ruleCalls } from '../../common/rules/http.ts';
import { type Rule, type RuleInput, ruleInputSchema } from '../../common/rules/model.ts';
import { useListUpdate } from '../auto-buy/use-list-update.ts';
import { request } from '../http/client.ts';
import { errorText, HttpError, serverFieldErrors } from '../http/error.ts';
import { toast } from '../ui/toast-store.ts';

const fields = [
  'name',
  'buyAmount',
  'minLiquidity',
  'maxRisk',
  'maxSlippage',
  'isActive',
  'buyUnknownRisk',
  'buyWithinSeconds',
] as const;

const DELETED =
  'This rule was deleted in the meantime. What you entered is still here: Create Rule saves it as a new rule.';

interface RuleForm {
  form: UseFormReturn<RuleInput>;
  submit: (event: SyntheticEvent) => Promise<void>;
  /** Error text of the last attempt; null when it did not fail. */
  failure: string | null;
  /** The rule no longer exists: submitting creates a new one. */
  deleted: boolean;
}

/** Manages the form of a new rule (`rule` is null) or an existing one. A failure keeps all input. */
export function useRuleForm(options: { rule: Rule | null; start: RuleInput; onDone: () => void }): RuleForm {
  const { rule, onDone } = options;
  const list = useListUpdate();
  const [failure, setFailure] = useState<string | null>(null);
  const [deleted, setDeleted] = useState(false);
  const [start] = useState(() => inputOf(options.start));
  const form = useForm<RuleInput>({
    resolver: zodResolver(ruleInputSchema, { error: plainWords }),
    defaultValues: start,
  });

  async function save(input: RuleInput): Promise<void> {
    if (rule === null || deleted) {
      const { data } = await request(ruleCalls.create, { body: input });
      list.apply({ subject: 'rules', op: 'saved', item: data });
      toast({ title: 'Rule Created', description: 'Your auto-buy rule has been created successfully' });
      return;
    }
    const { data } = await request(ruleCalls.update, { params: { id: rule.id }, body: changed(start, input) });
    list.apply({ subject: 'rules', op: 'saved', item: data });
    toast({ title: 'Rule Saved', description: 'Your auto-buy rule has been saved successfully' });
  }

  async function submitValid(input: RuleInput): Promise<void> {
    setFailure(null);
    try {
      await save(input);
    } catch (reason) {
      list.recover('rules', reason);
      for (const [name, message] of serverFieldErrors(reason, fields)) form.setError(name, { message });
      const isDeleted = rule !== null && !deleted && reason instanceof HttpError && reason.code === 'not-found';
      if (isDeleted) setDeleted(true);
      setFailure(isDeleted ? DELETED : errorText(reason));
      return;
    }
    onDone();
  }

  return { form, submit: form.handleSubmit(submitValid, toastInvalid), failure, deleted };
}

function toastInvalid(): void {
  toast({ title: 'Invalid Rule', description: 'Please provide a name and valid buy amount.', variant: 'destructive' });
}

/** Returns the editable fields, without those the server adds. */
export function inputOf(rule: RuleInput): RuleInput {
  const { name, buyAmount, minLiquidity, maxRisk, maxSlippage, isActive, buyUnknownRisk, buyWithinSeconds } = rule;
  return { name, buyAmount, minLiquidity, maxRisk, maxSlippage, isActive, buyUnknownRisk, buyWithinSeconds };
}

/** Returns only the fields that differ, so that changes made in another tab to other fields are kept. */
function changed(before: RuleInput, after: RuleInput): Partial<RuleInput> {
  const names = fields.filter((name) => before[name] !== after[name]);
  return Object.fromEntries(names.map((name) => [name, after[name]]));
}
