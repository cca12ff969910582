import { Bell } from 'lucide-react';
import type { Alert } from '../../common/alerts/model.ts';
import { useUserId } from '../auth/session.ts';
import { Age } from '../live/hooks/age.tsx';
import { useAtom } from '../store.ts';
import { Button } from '../ui/button.tsx';
import { Menu, MenuLabel, MenuLine, MenuLink } from '../ui/menu.tsx';
import { alertsSeenAtom } from './last-seen.ts';
import { useAlerts } from './use-alerts.ts';

/** The menu of the user's latest alerts in the header, with the number of unseen ones. */
export function AlertBell() {
  return useUserId() === null ? null : <UserAlertBell />;
}

function UserAlertBell() {
  const { data: alerts = [], error } = useAlerts();
  const [seen, setSeen] = useAtom(alertsSeenAtom);
  const unseen = alerts.filter(({ at }) => Date.parse(at) > seen).length;
  const label = unseen === 0 ? 'Alerts' : `Alerts, ${unseen} new`;
  return (
    <Menu
      side="bottom"
      align="end"
      // Also on close, since alerts that arrived while the menu was open have been seen.
      onOpenChange={() => {
        const newest = Math.max(...alerts.map(({ at }) => Date.parse(at)));
        if (newest > seen) setSeen(newest);
      }}
      trigger={
        <Button variant="ghost" size="icon" aria-label={label} title="Alerts">
          <Bell size={16} strokeWidth={1.75} aria-hidden="true" />
          {unseen > 0 && (
            <span
              aria-hidden="true"
              className="absolute -top-0.5 -right-0.5 grid h-4 min-w-4 place-items-center rounded-full bg-accent px-1 font-semibold text-2xs text-on-accent tabular-nums"
            >
              {unseen > 9 ? '9+' : unseen}
            </span>
          )}
        </Button>
      }
    >
      <div className="max-h-[70dvh] w-[min(22rem,calc(100vw-2rem))] overflow-y-auto">
        <MenuLabel>Your alerts</MenuLabel>
        {alerts.length === 0 && (
          <p className="px-2.5 py-2 text-muted text-sm">
            {error ?? 'No alerts yet. New tokens that match your alert settings appear here.'}
          </p>
        )}
        {alerts.map((alert) => (
          <AlertLine key={alert.id} alert={alert} />
        ))}
        <MenuLine />
        <MenuLink href="/app/settings?tab=alerts">Alert settings</MenuLink>
      </div>
    </Menu>
  );
}

const titles: Record<Alert['type'], string> = { new_token: 'New token', price_alert: 'Price change' };

function AlertLine({ alert }: { alert: Alert }) {
  return (
    <MenuLink href={`/app/tokens/${alert.address}`} tall>
      <span className="min-w-0 flex-1">
        <span className="flex items-baseline justify-between gap-2 text-muted text-xs">
          {titles[alert.type]}
          <Age at={alert.at} className="shrink-0 tabular-nums" />
        </span>
        <span className="line-clamp-3 whitespace-pre-line break-words text-sm">{alert.text}</span>
      </span>
    </MenuLink>
  );
}
