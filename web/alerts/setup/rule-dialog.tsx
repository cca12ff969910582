import { type SyntheticEvent, useState } from 'react';
import {
  type AlertChannels,
  defaultChannels,
  type PresetAlert,
  ruleAlertsPerHour,
} from '../../../common/alerts/rules/model.ts';
import { readyPresets } from '../../../common/presets/model.ts';
import { ChannelFields } from '../../alert-rules/channel-fields.tsx';
import { useAlertRuleChanges } from '../../alert-rules/use-alert-rules.ts';
import { errorText } from '../../http/error.ts';
import { useMutation } from '../../http/use-mutation.ts';
import { usePresets } from '../../tokens/presets/use-presets.ts';
import { FormDialog } from '../../ui/dialog.tsx';
import { FieldError } from '../../ui/field.tsx';
import { SelectField } from '../../ui/select.tsx';
import { Slider } from '../../ui/slider.tsx';

/** Sets up an alert by preset, or changes one. */
export function RuleDialog({ rule, onClose }: { rule: PresetAlert | null; onClose: () => void }) {
  const { createForPreset, change } = useAlertRuleChanges();
  const { data: saved = [] } = usePresets();
  const presets = [
    ...readyPresets.map(({ name }) => ({ value: name, label: name })),
    ...saved.map(({ id, name }) => ({ value: id, label: name })),
  ];
  const [preset, setPreset] = useState(rule?.preset ?? presets[0]?.value ?? '');
  const [perHour, setPerHour] = useState(rule?.perHour ?? ruleAlertsPerHour.default);
  const [channels, setChannels] = useState<AlertChannels>(rule?.channels ?? defaultChannels);
  const [error, setError] = useState<string | null>(null);
  const saving = useMutation(
    async () => {
      if (rule === null) await createForPreset({ preset, perHour, channels });
      // Naming the same preset again would restart the alert with the tokens from now on.
      else await change(rule.id, { ...(preset === rule.preset ? {} : { preset }), perHour, channels });
      onClose();
    },
    (reason) => setError(errorText(reason)),
  );

  async function submit(event: SyntheticEvent): Promise<void> {
    event.preventDefault();
    setError(null);
    await saving.run();
  }

  return (
    <FormDialog
      title={rule === null ? 'New Alert' : 'Change Alert'}
      verb={rule === null ? 'Create Alert' : 'Save Alert'}
      busy={saving.pending}
      onClose={onClose}
      onSubmit={submit}
    >
      <SelectField
        label="Preset"
        hint="Each token that begins to match it. Save your own presets above the list of tokens."
        value={preset}
        options={presets}
        onChange={setPreset}
      />
      <Slider
        {...ruleAlertsPerHour}
        label="At most"
        unit="/h"
        hint="Further matches of the hour are counted."
        value={perHour}
        onChange={setPerHour}
      />
      <ChannelFields value={channels} onChange={setChannels} />
      {error !== null && <FieldError id="alert-error">{error}</FieldError>}
    </FormDialog>
  );
}
