import type { FormEvent } from 'react';
import { type AlertSettings, alertMaxRisk, alertMinLiquidity } from '../../common/settings/model.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Slider } from '../ui/slider.tsx';
import { Switch } from '../ui/switch.tsx';
import { toast } from '../ui/toast-store.ts';
import { useSaving } from '../users/use-saving.ts';
import { useSaveSettings } from './use-settings.ts';

/** Which tokens the user wants to hear of. */
export function AlertsTab({
  stored,
  draft,
  onDraft,
}: {
  stored: AlertSettings;
  draft: AlertSettings | null;
  onDraft: (draft: AlertSettings | null) => void;
}) {
  const save = useSaveSettings();
  const saving = useSaving();
  const alerts = draft ?? stored;
  const change = (next: Partial<AlertSettings>) => onDraft({ ...alerts, ...next });

  function submit(event: FormEvent): void {
    event.preventDefault();
    void saving.run(async () => {
      await save({ alerts });
      onDraft(null);
      toast({ title: 'Alert Settings Saved', description: 'Your alert settings have been updated' });
    });
  }

  return (
    <Card title="Alert Settings">
      <form noValidate onSubmit={submit} className="flex flex-col gap-5">
        <Slider
          {...alertMinLiquidity}
          label="Minimum liquidity"
          unit="SOL"
          decimals={2}
          hint="Only tokens with at least this much liquidity."
          value={alerts.minLiquidity}
          onChange={(minLiquidity) => change({ minLiquidity })}
        />
        <Slider
          {...alertMaxRisk}
          label="Maximum risk"
          unit="%"
          hint="Only tokens whose scam probability is below this value."
          value={alerts.maxRisk}
          onChange={(maxRisk) => change({ maxRisk })}
        />
        <div className="flex flex-col gap-2 border-line border-t pt-3">
          <Switch
            label="New Token Alerts"
            hint="When a token that fits is detected."
            checked={alerts.newTokenAlerts}
            onChange={(newTokenAlerts) => change({ newTokenAlerts })}
          />
          <Switch
            label="Price Change Alerts"
            hint="When the price of a token you watch moves strongly."
            checked={alerts.priceChangeAlerts}
            onChange={(priceChangeAlerts) => change({ priceChangeAlerts })}
          />
        </div>
        <Button type="submit" variant="primary" busy={saving.busy} className="self-start">
          Save Alert Settings
        </Button>
      </form>
    </Card>
  );
}
