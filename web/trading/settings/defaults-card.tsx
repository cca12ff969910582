import { FormProvider } from 'react-hook-form';
import type { TradingAccount } from '../../../common/trading/account.ts';
import { FormCard } from '../../ui/form-card.tsx';
import { ExitsFields } from '../exits-fields.tsx';
import { defaultsForm, defaultsFormSchema } from './settings-values.ts';
import { useTradingForm } from './use-save.ts';

/** The exits of new positions. */
export function DefaultsCard({ account }: { account: TradingAccount }) {
  const values = defaultsForm(account);
  const { form, pending, submit } = useTradingForm(defaultsFormSchema, values, 'Defaults Saved', (defaults) => ({
    defaults,
  }));
  return (
    <FormCard title="Defaults" verb="Save Defaults" busy={pending} onSubmit={submit}>
      <p className="text-muted text-sm">Positions that you or a rule open start with these exits.</p>
      <FormProvider {...form}>
        <ExitsFields />
      </FormProvider>
    </FormCard>
  );
}
