import { zodResolver } from '@hookform/resolvers/zod';
import { type FieldValues, useForm } from 'react-hook-form';
import type { z } from 'zod';
import { plainWords } from '../../../common/field-errors.ts';
import type { TradingAccountChange } from '../../../common/trading/account.ts';
import { useMutation } from '../../http/use-mutation.ts';
import { useStore } from '../../store.ts';
import { toast } from '../../ui/toast-store.ts';
import { changeAccount } from '../state/changes.ts';

/** Returns what saves a partial change of the account and shows it in a toast with this title. */
export function useSaveTrading(title: string, onSaved: () => void = () => undefined) {
  const store = useStore();
  return useMutation(async (change: TradingAccountChange) => {
    await changeAccount(store, change);
    onSaved();
    toast({ title, description: 'Your trading settings have been saved.' });
  });
}

/**
 * Returns a form of settings, what saves it, and whether that is pending. It follows changes of the account, except in
 * fields that were changed here. `changeOf`: returns the change of the account that the valid input stands for.
 */
export function useTradingForm<Input extends FieldValues, Output>(
  schema: z.ZodType<Output, Input>,
  values: Input,
  title: string,
  changeOf: (output: Output) => TradingAccountChange,
) {
  const form = useForm<Input, unknown, Output>({
    resolver: zodResolver(schema, { error: plainWords }),
    values,
    resetOptions: { keepDirtyValues: true },
  });
  const { pending, run } = useSaveTrading(title, () => form.reset(form.getValues()));
  return { form, pending, submit: form.handleSubmit((output) => run(changeOf(output))) };
}
