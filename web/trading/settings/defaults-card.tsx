import { FormProvider } from 'react-hook-form';
import type { TradingAccount } from '../../../common/trading/account.ts';
import { Field } from '../../ui/field.tsx';
import { FormCard } from '../../ui/form-card.tsx';
import { ExitsFields } from '../exits-fields.tsx';
import { defaultsForm, defaultsFormSchema } from './settings-values.ts';
import { useTradingForm } from './use-save.ts';

/** Places of the buttons, which the contract fixes at four and three. */
const buyButtons = [0, 1, 2, 3] as const;
const sellButtons = [0, 1, 2] as const;

/** Amounts of the buttons, slippage, and the exits of new positions. */
export function DefaultsCard({ account }: { account: TradingAccount }) {
  const values = defaultsForm(account);
  const { form, pending, submit } = useTradingForm(defaultsFormSchema, values, 'Defaults Saved', (defaults) => ({
    defaults,
  }));
  const { errors } = form.formState;
  return (
    <FormCard title="Defaults" verb="Save Defaults" busy={pending} onSubmit={submit}>
      <div className="grid grid-cols-2 gap-4 sm:grid-cols-4">
        {buyButtons.map((at) => (
          <Field
            key={at}
            label={`Buy button ${at + 1} (SOL)`}
            inputMode="decimal"
            autoComplete="off"
            error={errors.buyPresets?.[at]?.message}
            {...form.register(`buyPresets.${at}`)}
          />
        ))}
        {sellButtons.map((at) => (
          <Field
            key={at}
            label={`Sell button ${at + 1} (%)`}
            inputMode="numeric"
            autoComplete="off"
            error={errors.sellPresets?.[at]?.message}
            {...form.register(`sellPresets.${at}`)}
          />
        ))}
        <Field
          label="Slippage (%)"
          inputMode="decimal"
          autoComplete="off"
          title="The worst average price against the present one, your own impact included, fees apart."
          error={errors.slippageBps?.message}
          {...form.register('slippageBps')}
        />
      </div>
      <fieldset className="border-line border-t pt-3">
        <legend className="sr-only">Exits of new positions</legend>
        <p className="mb-3 text-muted text-sm">Positions that you or a rule open start with these exits.</p>
        <FormProvider {...form}>
          <ExitsFields />
        </FormProvider>
      </fieldset>
    </FormCard>
  );
}
