import { settingsCalls } from '../../common/settings/http.ts';
import type { Settings, SettingsChange } from '../../common/settings/model.ts';
import { useUserId } from '../auth/session.ts';
import { request } from '../http/client.ts';
import { type UserQuery, useUserQuery } from '../live/hooks/use-user-query.ts';
import { queryClientAtom, useStore } from '../store.ts';
import { applyUserData } from '../users/user-cache.ts';

/** Returns the user's settings; updated by changes in other tabs. */
export function useSettings(): UserQuery<Settings> {
  return useUserQuery(settingsCalls.get, {});
}

/** Returns a function that saves a partial change. It throws `HttpError`. */
export function useSaveSettings(): (change: SettingsChange) => Promise<void> {
  const store = useStore();
  const userId = useUserId();
  return async (change) => {
    const { data } = await request(settingsCalls.change, { body: change });
    const client = store.get(queryClientAtom);
    if (userId === null) return;
    applyUserData(client, userId, { subject: 'settings', op: 'saved', item: data });
    applyUserData(client, userId, { subject: 'wallet', op: 'saved', item: data.wallet });
  };
}
