import { zodResolver } from '@hookform/resolvers/zod';
import { type UseFormReturn, useForm } from 'react-hook-form';
import {
  type AlertSettings,
  alertMaxRisk,
  alertMinLiquidity,
  alertSettingsSchema,
  alertsPerHour,
} from '../../common/settings/model.ts';
import { AlertSetup } from '../alerts/setup/alert-setup.tsx';
import { useMutation } from '../http/use-mutation.ts';
import { FormCard } from '../ui/form-card.tsx';
import { Slider } from '../ui/slider.tsx';
import { Switch } from '../ui/switch.tsx';
import { toast } from '../ui/toast-store.ts';
import { useSaveSettings } from './use-settings.ts';

type AlertsForm = UseFormReturn<AlertSettings>;

export function useAlertsForm(stored: AlertSettings): AlertsForm {
  return useForm({
    resolver: zodResolver(alertSettingsSchema),
    values: stored,
    resetOptions: { keepDirtyValues: true },
  });
}

/** Which tokens the user receives alerts about, and the alerts that the user has set up. */
export function AlertsTab({ form }: { form: AlertsForm }) {
  const save = useSaveSettings();
  const { pending, run } = useMutation(async (alerts: AlertSettings) => {
    await save({ alerts });
    form.reset(alerts);
    toast({ title: 'Alert Settings Saved', description: 'Your alert settings have been updated' });
  });
  const submit = form.handleSubmit(run);
  const values = form.watch();
  const set = (name: keyof AlertSettings) => (value: number | boolean) =>
    form.setValue(name, value, { shouldDirty: true });
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <FormCard title="Alert Settings" verb="Save Alert Settings" busy={pending} onSubmit={submit} gap="gap-5">
        <Slider
          {...alertMinLiquidity}
          label="Minimum liquidity"
          unit="SOL"
          decimals={2}
          hint="Only tokens with at least this much liquidity."
          value={values.minLiquidity}
          onChange={set('minLiquidity')}
        />
        <Slider
          {...alertMaxRisk}
          label="Maximum risk"
          unit="%"
          hint="Only tokens whose scam probability is below this value."
          value={values.maxRisk}
          onChange={set('maxRisk')}
        />
        <Slider
          {...alertsPerHour}
          label="Alerts per hour"
          unit="/h"
          hint="In the bell and in Telegram, best first. The bell counts the rest. Alerts about tokens you watch always come."
          value={values.alertsPerHour}
          onChange={set('alertsPerHour')}
        />
        <div className="flex flex-col gap-2 border-line border-t pt-3">
          <Switch
            label="New Token Alerts"
            hint="When a token that matches is detected."
            checked={values.newTokenAlerts}
            onChange={set('newTokenAlerts')}
          />
          <Switch
            label="Price Change Alerts"
            hint="When the price of a token you watch moves strongly."
            checked={values.priceChangeAlerts}
            onChange={set('priceChangeAlerts')}
          />
        </div>
      </FormCard>
      <AlertSetup />
    </div>
  );
}
