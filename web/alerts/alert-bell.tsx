import { Bell } from 'lucide-react';
import { useEffect } from 'react';
import { z } from 'zod';
import { allPresetsText, droppedText, heldBackText } from '../../common/alerts/model.ts';
import { sessionAtom, useUserId } from '../auth/session.ts';
import { tabTitle, tabTitleAtom } from '../layout/page-title.ts';
import { atom, useAtom, useAtomValue } from '../store.ts';
import { Button } from '../ui/button.tsx';
import { Menu, MenuLabel, MenuLine, MenuLink } from '../ui/menu.tsx';
import { AlertLine } from './alert-line.tsx';
import { useAlertSignals } from './use-alert-signals.ts';
import { useAlertHour, useAlerts } from './use-alerts.ts';

const KEY = 'mintwatch-alerts-seen';
/** Number of users remembered per browser, the most recent ones. */
const USERS_MAX = 20;

const SETTINGS = '/app/settings?tab=alerts';

/** The menu of the user's latest alerts in the header, with the number of unseen ones. */
export function AlertBell() {
  return useUserId() === null ? null : <UserAlertBell />;
}

function UserAlertBell() {
  const { data: alerts = [], error } = useAlerts();
  const [seen, setSeen] = useAtom(alertsSeenAtom);
  const unseen = alerts.filter(({ at }) => Date.parse(at) > seen).length;
  useAlertSignals();
  useTabCount(unseen);
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
      <div className="max-h-[70dvh] w-[min(25rem,calc(100vw-2rem))] overflow-y-auto">
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

/** Shows the number of new alerts in the title of the tab. */
function useTabCount(unseen: number): void {
  const title = useAtomValue(tabTitleAtom);
  useEffect(() => {
    document.title = tabTitle(title, unseen);
    return () => {
      document.title = tabTitle(title);
    };
  }, [title, unseen]);
}

/** Shows how many alerts each limit held back in this hour, with a link to those that can be changed, and how many were dropped. */
function HeldBackLine() {
  const { data: hour } = useAlertHour();
  if (!hour) return null;
  const all = [{ name: null, limit: hour.limit, heldBack: hour.heldBack }, ...hour.presets];
  const dropped = hour.presets.reduce((sum, preset) => sum + preset.dropped, 0);
  return (
    <>
      {all
        .filter(({ heldBack }) => heldBack > 0)
        .map(({ name, heldBack, limit }) => (
          <MenuLink key={name ?? ''} href={SETTINGS}>
            <span className="min-w-0 flex-1 truncate text-muted text-xs tabular-nums">
              {name === null ? '' : `${name}: `}
              {heldBackText(heldBack, 'this hour', limit)}
            </span>
            <span className="shrink-0 text-accent text-xs">Change limit</span>
          </MenuLink>
        ))}
      {hour.allPresets.heldBack > 0 && (
        <p className="px-2.5 py-1.5 text-muted text-xs tabular-nums">
          {allPresetsText(hour.allPresets.heldBack, 'this hour', hour.allPresets.limit)}
        </p>
      )}
      {dropped > 0 && (
        <p className="px-2.5 py-1.5 text-muted text-xs tabular-nums">{droppedText(dropped, 'this hour')}</p>
      )}
    </>
  );
}

/** User id and time of the newest alert the user has seen, epoch ms; most recent first. */
const lastSeenSchema = z.array(z.tuple([z.string(), z.number()]));
type LastSeen = z.infer<typeof lastSeenSchema>;

function readStorage(): LastSeen {
  try {
    const parsed = lastSeenSchema.safeParse(JSON.parse(localStorage.getItem(KEY) ?? '[]'));
    return parsed.success ? parsed.data : [];
  } catch {
    return []; // storage may be forbidden or corrupt; all alerts then count as unseen
  }
}

const lastSeenAtom = atom(readStorage());
lastSeenAtom.onMount = (set) => {
  // Another tab may have written since the page was loaded, and may write at any time.
  set(readStorage());
  const onStorage = (event: StorageEvent) => {
    if (event.key === KEY) set(readStorage());
  };
  window.addEventListener('storage', onStorage);
  return () => window.removeEventListener('storage', onStorage);
};

/** Time of the newest alert that the signed-in user has seen in this browser, epoch ms. */
const alertsSeenAtom = atom(
  (get) => {
    const session = get(sessionAtom);
    const id = session === null || session === 'unknown' ? null : session.id;
    return get(lastSeenAtom).find(([user]) => user === id)?.[1] ?? 0;
  },
  (get, set, at: number) => {
    const session = get(sessionAtom);
    if (session === null || session === 'unknown') return;
    const others = get(lastSeenAtom).filter(([user]) => user !== session.id);
    const current: LastSeen[number] = [session.id, at];
    const lastSeen = [current, ...others].slice(0, USERS_MAX);
    set(lastSeenAtom, lastSeen);
    try {
      localStorage.setItem(KEY, JSON.stringify(lastSeen));
    } catch {
      // Storage is forbidden, so the value lasts until the page is closed.
    }
  },
);
