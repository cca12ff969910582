import { alertCalls } from '../../common/alerts/http.ts';
import type { Alert } from '../../common/alerts/model.ts';
import { useRoomQuery } from '../live/hooks/use-room.ts';
import type { UserQuery } from '../live/hooks/use-user-query.ts';

/** How many of the newest are kept in sight. */
const KEPT = 20;

/** The user's newest alerts, newest first; new ones come by the `alert` event of the room that `useUserFeed` is in. */
export function useAlerts(): UserQuery<Alert[]> {
  return useRoomQuery(alertCalls.list, {}, null, (update) => ({
    alert: (alert) => update((before) => withAlert(before, alert)),
  }));
}

/** Puts an alert on top; one that is there already changes nothing. */
export function withAlert(before: readonly Alert[], alert: Alert): Alert[] {
  if (before.some(({ id }) => id === alert.id)) return [...before];
  return [alert, ...before].slice(0, KEPT);
}
