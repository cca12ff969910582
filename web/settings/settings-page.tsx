import { useState } from 'react';
import type { AlertSettings, Settings } from '../../common/settings/model.ts';
import { usePageTitle } from '../layout/page-title.ts';
import { useAddressTab } from '../layout/use-address-tab.ts';
import { Problem } from '../ui/problem.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { AccountActivity } from './account-activity.tsx';
import { AlertsTab } from './alerts-tab.tsx';
import { MaintenanceTab } from './maintenance-tab.tsx';
import { TelegramTab } from './telegram-tab.tsx';
import { useCleanMockTokens } from './use-clean-mock-tokens.ts';
import { useSettings } from './use-settings.ts';
import { WalletTab } from './wallet-tab.tsx';

/** What was changed and not saved yet; null where the field shows what is stored. */
interface Drafts {
  walletAddress: string | null;
  telegramUsername: string | null;
  alerts: AlertSettings | null;
}

const noDrafts: Drafts = { walletAddress: null, telegramUsername: null, alerts: null };

/** Wallet address, Telegram username, alerts, maintenance, and what was done with the account. */
export default function SettingsPage() {
  usePageTitle('Settings');
  const { data, error, loading, reload } = useSettings();
  return (
    <div className="flex min-w-0 max-w-3xl flex-col gap-3">
      <p className="text-muted text-sm">Manage your preferences and connections</p>
      {data !== undefined && <SettingsTabs settings={data} />}
      {data === undefined && error !== null && (
        <div className="rounded-lg border border-line bg-surface">
          <Problem title="Settings could not be loaded" text={error} onRetry={() => void reload()} busy={loading} />
        </div>
      )}
      {data === undefined && error === null && <Waiting />}
      <AccountActivity />
    </div>
  );
}

/** Drafts are kept here, so that looking at another tab loses nothing. */
function SettingsTabs({ settings }: { settings: Settings }) {
  const [drafts, setDrafts] = useState(noDrafts);
  const [tab, setTab] = useAddressTab(['wallet', 'telegram', 'alerts', 'maintenance']);
  const cleanup = useCleanMockTokens();
  const change = (next: Partial<Drafts>) => setDrafts((before) => ({ ...before, ...next }));
  return (
    <Tabs
      label="Settings"
      tab={tab}
      onTab={setTab}
      tabs={[
        {
          id: 'wallet',
          label: 'Wallet',
          content: (
            <WalletTab
              wallet={settings.wallet}
              draft={drafts.walletAddress}
              onDraft={(walletAddress) => change({ walletAddress })}
            />
          ),
        },
        {
          id: 'telegram',
          label: 'Telegram',
          content: (
            <TelegramTab
              username={settings.telegramUsername}
              draft={drafts.telegramUsername}
              onDraft={(telegramUsername) => change({ telegramUsername })}
            />
          ),
        },
        {
          id: 'alerts',
          label: 'Alert Settings',
          content: (
            <AlertsTab stored={settings.alerts} draft={drafts.alerts} onDraft={(alerts) => change({ alerts })} />
          ),
        },
        { id: 'maintenance', label: 'Maintenance', content: <MaintenanceTab cleanup={cleanup} /> },
      ]}
    />
  );
}

function Waiting() {
  return (
    <div role="status" aria-label="Loading settings" className="flex flex-col gap-3">
      <Skeleton className="h-10 w-full max-w-96" />
      <Skeleton className="h-64 rounded-lg" />
    </div>
  );
}
