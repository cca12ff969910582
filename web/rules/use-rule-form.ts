import { zodResolver } from '@hookform/resolvers/zod';
import { type SyntheticEvent, useState } from 'react';
import { type UseFormReturn, useForm } from 'react-hook-form';
import { plainWords } from '../../common/field-errors.ts';
import { ruleCalls } from '../../common/rules/http.ts';
import { type Rule, type RuleInput, ruleInputSchema } from '../../common/rules/model.ts';
import { failureText, useOwnChange } from '../auto-buy/use-own-change.ts';
import { request } from '../http/client.ts';
import { HttpError } from '../http/error.ts';
import { serverFieldErrors } from '../http/field-errors.ts';
import { toast } from '../ui/toast-store.ts';

const fields = ['name', 'buyAmount', 'minLiquidity', 'maxRisk', 'maxSlippage', 'isActive'] as const;

const GONE =
  'This rule was deleted in the meantime. What you entered is still here: Create Rule saves it as a new rule.';

export interface RuleForm {
  form: UseFormReturn<RuleInput>;
  submit: (event: SyntheticEvent) => Promise<void>;
  /** Why the last attempt failed; null while none has. */
  failure: string | null;
  /** The rule that was to be changed is not there any more: submitting makes a new one. */
  gone: boolean;
}

/** The form of a new rule (`rule` is null) or of one that is there. A failure leaves everything as it was typed. */
export function useRuleForm(options: { rule: Rule | null; start: RuleInput; onDone: () => void }): RuleForm {
  const { rule, onDone } = options;
  const own = useOwnChange();
  const [failure, setFailure] = useState<string | null>(null);
  const [gone, setGone] = useState(false);
  const [start] = useState(() => inputOf(options.start));
  const form = useForm<RuleInput>({
    resolver: zodResolver(ruleInputSchema, { error: plainWords }),
    defaultValues: start,
  });

  async function save(input: RuleInput): Promise<void> {
    if (rule === null || gone) {
      const { data } = await request(ruleCalls.create, { body: input });
      own.took({ subject: 'rules', op: 'saved', item: data });
      toast({ title: 'Rule Created', description: 'Your auto-buy rule has been created successfully' });
      return;
    }
    const { data } = await request(ruleCalls.update, { params: { id: rule.id }, body: changed(start, input) });
    own.took({ subject: 'rules', op: 'saved', item: data });
    toast({ title: 'Rule Saved', description: 'Your auto-buy rule has been saved successfully' });
  }

  async function submitValid(input: RuleInput): Promise<void> {
    setFailure(null);
    try {
      await save(input);
    } catch (reason) {
      own.failed('rules', reason);
      for (const [name, message] of serverFieldErrors(reason, fields)) form.setError(name, { message });
      const deleted = rule !== null && !gone && reason instanceof HttpError && reason.code === 'not-found';
      if (deleted) setGone(true);
      setFailure(deleted ? GONE : failureText(reason));
      return;
    }
    onDone();
  }

  return { form, submit: form.handleSubmit(submitValid, refuse), failure, gone };
}

function refuse(): void {
  toast({
    title: 'Invalid Rule',
    description: 'Please provide a name and valid buy amount.',
    variant: 'destructive',
  });
}

/** Without what the server adds. */
function inputOf({ name, buyAmount, minLiquidity, maxRisk, maxSlippage, isActive }: RuleInput): RuleInput {
  return { name, buyAmount, minLiquidity, maxRisk, maxSlippage, isActive };
}

/** Only what differs, so that a change of something else in another tab stays. */
function changed(before: RuleInput, after: RuleInput): Partial<RuleInput> {
  const names = fields.filter((name) => before[name] !== after[name]);
  return Object.fromEntries(names.map((name) => [name, after[name]]));
}
