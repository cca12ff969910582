import type { AlertChannels } from '../../common/alerts/rules/model.ts';
import { telegramCalls } from '../../common/telegram/http.ts';
import { webhookCalls } from '../../common/webhook/http.ts';
import { useUserQuery } from '../live/hooks/use-user-query.ts';
import { SelectField } from '../ui/select.tsx';
import { Switch } from '../ui/switch.tsx';
import { type DesktopPermission, desktopPermission } from './desktop-permission.ts';

export const soundLabels: Record<AlertChannels['sound'], string> = { none: 'None', tick: 'Tick', bell: 'Bell' };

const sounds = (['none', 'tick', 'bell'] as const).map((value) => ({ value, label: soundLabels[value] }));

const desktopHints: Record<DesktopPermission, string> = {
  default: 'Allow it under This device first.',
  granted: 'While Mintwatch is open in a tab.',
  denied: 'Allow it under This device first.',
  unsupported: 'This browser shows none; your others may.',
};

/** Chooses where an alert is sent besides the bell. */
export function ChannelFields({ value, onChange }: { value: AlertChannels; onChange: (value: AlertChannels) => void }) {
  const { data: telegram } = useUserQuery(telegramCalls.link, {});
  const { data: webhook } = useUserQuery(webhookCalls.get, {});
  const put = (change: Partial<AlertChannels>) => onChange({ ...value, ...change });
  return (
    <>
      <SelectField label="Sound" value={value.sound} options={sounds} onChange={(sound) => put({ sound })} />
      <Switch
        label="Desktop notification"
        hint={desktopHints[desktopPermission()]}
        checked={value.desktop}
        onChange={(desktop) => put({ desktop })}
      />
      <Switch
        label="Telegram"
        hint={telegram?.linked === null ? 'No chat is linked yet.' : 'To your linked chat.'}
        checked={value.telegram}
        onChange={(on) => put({ telegram: on })}
      />
      <Switch
        label="Webhook"
        hint={webhook === null ? 'You have no webhook yet.' : `To ${webhook?.host ?? 'your webhook'}.`}
        checked={value.webhook}
        onChange={(on) => put({ webhook: on })}
      />
    </>
  );
}

/** Returns `Bell, sound: Tick, Telegram`. */
export function channelsText({ sound, desktop, telegram, webhook }: AlertChannels): string {
  return [
    'Bell',
    ...(sound === 'none' ? [] : [`sound: ${soundLabels[sound]}`]),
    ...(desktop ? ['desktop'] : []),
    ...(telegram ? ['Telegram'] : []),
    ...(webhook ? ['webhook'] : []),
  ].join(', ');
}
