import { zodResolver } from '@hookform/resolvers/zod';
import { FormProvider, useForm } from 'react-hook-form';
import { plainWords } from '../../../common/field-errors.ts';
import type { TradingAccount, TradingDefaults } from '../../../common/trading/account.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Field } from '../../ui/field.tsx';
import { ExitsFields } from '../exits-fields.tsx';
import { type DefaultsForm, defaultsForm, defaultsFormSchema } from './settings-values.ts';
import { useSaveTrading } from './use-save.ts';

/** Places of the buttons, which the contract fixes at four and three. */
const buyButtons = [0, 1, 2, 3] as const;
const sellButtons = [0, 1, 2] as const;

/** Amounts of the buttons, slippage, and the exits of new positions. */
export function DefaultsCard({ account }: { account: TradingAccount }) {
  const form = useForm<DefaultsForm, unknown, TradingDefaults>({
    resolver: zodResolver(defaultsFormSchema, { error: plainWords }),
    values: defaultsForm(account),
    resetOptions: { keepDirtyValues: true },
  });
  const { pending, run } = useSaveTrading('Defaults Saved', () => form.reset(form.getValues()));
  const submit = form.handleSubmit((defaults) => run({ defaults }));
  const { errors } = form.formState;
  return (
    <Card title="Defaults">
      <form noValidate className="flex flex-col gap-4" onSubmit={(event) => void submit(event)}>
        <div className="grid grid-cols-2 gap-4 sm:grid-cols-4">
          {buyButtons.map((at) => (
            <Field
              key={at}
              label={`Buy button ${at + 1} (SOL)`}
              inputMode="decimal"
              autoComplete="off"
              error={errors.buy?.[at]?.message}
              {...form.register(`buy.${at}`)}
            />
          ))}
          {sellButtons.map((at) => (
            <Field
              key={at}
              label={`Sell button ${at + 1} (%)`}
              inputMode="numeric"
              autoComplete="off"
              error={errors.sell?.[at]?.message}
              {...form.register(`sell.${at}`)}
            />
          ))}
          <Field
            label="Slippage (%)"
            inputMode="decimal"
            autoComplete="off"
            title="The worst average price against the present one, your own impact included, fees apart."
            error={errors.slippage?.message}
            {...form.register('slippage')}
          />
        </div>
        <fieldset className="border-line border-t pt-3">
          <legend className="sr-only">Exits of new positions</legend>
          <p className="mb-3 text-muted text-sm">Positions that you or a rule open start with these exits.</p>
          <FormProvider {...form}>
            <ExitsFields />
          </FormProvider>
        </fieldset>
        <Button type="submit" variant="primary" busy={pending} className="self-start">
          Save Defaults
        </Button>
      </form>
    </Card>
  );
}
