import { alertCalls } from '../../common/alerts/http.ts';
import type { Alert, AlertHour } from '../../common/alerts/model.ts';
import { useLiveEvent, useRoomQuery } from '../live/hooks/use-room.ts';
import { type UserQuery, useUserQuery } from '../live/hooks/use-user-query.ts';

/** Maximum number of alerts in the list. */
const MAX_ALERTS = 20;

/** Returns the user's alerts, newest first; updated by `alert` events of the user's room, which `useUserRoom` joins. */
export function useAlerts(): UserQuery<Alert[]> {
  return useRoomQuery(alertCalls.list, {}, null, 'alert', withAlert);
}

/** Interval of the counts while they are shown, ms: no event brings an alert that was held back. */
const HOUR_POLL = 10_000;

/** Returns the counts of the user's alerts in this hour, fetched whenever a component that shows them is mounted. */
export function useAlertHour(): UserQuery<AlertHour> {
  const query = useUserQuery(alertCalls.hour, {}, HOUR_POLL);
  useLiveEvent('alert', () => {
    if (!query.loading) void query.reload();
  });
  return query;
}

/** Returns the list with the alert on top; unchanged if it is already there. */
export function withAlert(before: readonly Alert[], alert: Alert): Alert[] {
  if (before.some(({ id }) => id === alert.id)) return [...before];
  return [alert, ...before].slice(0, MAX_ALERTS);
}
