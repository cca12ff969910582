import { Bell } from 'lucide-react';
import { heldBackText } from '../../common/alerts/model.ts';
import { useUserId } from '../auth/session.ts';
import { useAtom } from '../store.ts';
import { Button } from '../ui/button.tsx';
import { Menu, MenuLabel, MenuLine, MenuLink } from '../ui/menu.tsx';
import { AlertLine } from './alert-line.tsx';
import { alertsSeenAtom } from './last-seen.ts';
import { useAlertHour, useAlerts } from './use-alerts.ts';

const SETTINGS = '/app/settings?tab=alerts';

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
            {error ??
              'No alerts yet. New tokens that match your alert settings and the ends of your orders appear here.'}
          </p>
        )}
        <HeldBackLine />
        {alerts.map((alert) => (
          <AlertLine key={alert.id} alert={alert} />
        ))}
        <MenuLine />
        <MenuLink href={SETTINGS}>Alert settings</MenuLink>
      </div>
    </Menu>
  );
}

/** Shows how many alerts the limit held back in this hour, with a link to the limit; nothing while there are none. */
function HeldBackLine() {
  const { data: hour } = useAlertHour();
  if (!hour || hour.heldBack === 0) return null;
  return (
    <MenuLink href={SETTINGS}>
      <span className="min-w-0 flex-1 truncate text-muted text-xs tabular-nums">
        {heldBackText(hour.heldBack, 'this hour', hour.limit)}
      </span>
      <span className="shrink-0 text-accent text-xs">Change limit</span>
    </MenuLink>
  );
}
