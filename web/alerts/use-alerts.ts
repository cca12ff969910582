import { alertCalls } from '../../common/alerts/http.ts';
import type { Alert } from '../../common/alerts/model.ts';
import { useRoomQuery } from '../live/hooks/use-room.ts';
import type { UserQuery } from '../live/hooks/use-user-query.ts';

/** Maximum number of alerts in the list. */
const MAX_ALERTS = 20;

/** Returns the user's alerts, newest first; updated by `alert` events of the user's room, which `useUserFeed` joins. */
export function useAlerts(): UserQuery<Alert[]> {
  return useRoomQuery(alertCalls.list, {}, null, 'alert', withAlert);
}

/** Returns the list with the alert on top; unchanged if it is already there. */
export function withAlert(before: readonly Alert[], alert: Alert): Alert[] {
  if (before.some(({ id }) => id === alert.id)) return [...before];
  return [alert, ...before].slice(0, MAX_ALERTS);
}
