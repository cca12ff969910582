import { ChevronDown, ChevronUp, ScrollText } from 'lucide-react';
import { useState } from 'react';
import type { Settings } from '../../common/settings/model.ts';
import { SecurityCard } from '../account/security-card.tsx';
import { AuditList } from '../audit/audit-list.tsx';
import { useAudit } from '../audit/use-audit.ts';
import { useUserId } from '../auth/session.ts';
import { Loaded } from '../http/loaded.tsx';
import { usePageTitle } from '../layout/page-title.ts';
import { useAddressTab } from '../layout/use-address-tab.ts';
import { TradingTab } from '../trading/settings/trading-tab.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { classNames } from '../ui/class-names.ts';
import { Empty } from '../ui/empty.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { AlertsTab, useAlertsForm } from './alerts-tab.tsx';
import { MaintenanceTab, useCleanMockTokens } from './maintenance-tab.tsx';
import { TelegramTab, useTelegramForm } from './telegram-tab.tsx';
import { useSettings } from './use-settings.ts';
import { useWalletForm, WalletTab } from './wallet-tab.tsx';

/**
 * Wallet address, Telegram username, alerts, maintenance and trading in tabs; the account's security and audit log beside
 * them, or below the first tab where there is no room.
 */
export default function SettingsPage() {
  usePageTitle('Settings');
  const settings = useSettings();
  const [tab, setTab] = useAddressTab(tabs);
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <p className="text-muted text-sm">Manage your preferences and connections</p>
      <div className="flex min-w-0 flex-col gap-3 xl:grid xl:grid-cols-[minmax(0,48rem)_minmax(0,1fr)] xl:items-start">
        <Loaded query={settings} problem="Settings could not be loaded" waiting={<Waiting />}>
          {(stored) => <SettingsTabs settings={stored} tab={tab} onTab={setTab} />}
        </Loaded>
        <div className={classNames('flex min-w-0 flex-col gap-3 xl:pt-13', tab !== tabs[0] && 'max-xl:hidden')}>
          <SecurityCard />
          <AccountActivity />
        </div>
      </div>
    </div>
  );
}

const tabs = ['wallet', 'telegram', 'alerts', 'maintenance', 'trading'] as const;

/** The tabs. The forms live here, so that input survives a change of tab. */
function SettingsTabs(props: { settings: Settings; tab: string; onTab: (tab: string) => void }) {
  const { settings, tab, onTab } = props;
  const wallet = useWalletForm(settings.wallet);
  const telegram = useTelegramForm(settings.telegramUsername);
  const alerts = useAlertsForm(settings.alerts);
  const cleanup = useCleanMockTokens();
  return (
    <Tabs
      label="Settings"
      tab={tab}
      onTab={onTab}
      tabs={[
        { id: 'wallet', label: 'Wallet', content: <WalletTab wallet={settings.wallet} form={wallet} /> },
        { id: 'telegram', label: 'Telegram', content: <TelegramTab form={telegram} /> },
        { id: 'alerts', label: 'Alert Settings', content: <AlertsTab form={alerts} /> },
        { id: 'maintenance', label: 'Maintenance', content: <MaintenanceTab cleanup={cleanup} /> },
        { id: 'trading', label: 'Trading', content: <TradingTab /> },
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

/** Entries of the audit log about the user's own account; fetched whenever it is opened. */
export function AccountActivity() {
  const userId = useUserId();
  const [open, setOpen] = useState(false);
  // The session may end while the page is open; the app then redirects to the login.
  if (userId === null) return null;
  const Icon = open ? ChevronUp : ChevronDown;
  return (
    <Card
      title="Account activity"
      actions={
        <Button size="sm" aria-expanded={open} onClick={() => setOpen(!open)}>
          <Icon size={14} strokeWidth={1.75} aria-hidden="true" />
          {open ? 'Hide' : 'Show'}
        </Button>
      }
    >
      <p className="text-muted text-sm">
        Recorded actions on your account: logins, changes of password and rights, use of your private key, and looks of
        administrators at your data.
      </p>
      {open && <Entries userId={userId} />}
    </Card>
  );
}

function Entries({ userId }: { userId: string }) {
  const log = useAudit({ kind: 'user', userId });
  return (
    <div className="mt-3 min-w-0">
      <AuditList
        label="Account activity"
        log={log}
        empty={<Empty icon={ScrollText} title="No Entries" text="No action has been recorded yet." />}
      />
    </div>
  );
}
