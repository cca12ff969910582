import { presetCalls } from '../../../common/presets/http.ts';
import type { NewPreset, Preset } from '../../../common/presets/model.ts';
import { request } from '../../http/client.ts';
import { refetch } from '../../http/query.ts';
import { type UserQuery, useUserQuery } from '../../live/hooks/use-user-query.ts';
import { useStore } from '../../store.ts';
import { userKeys } from '../../users/user-cache.ts';

/** Returns the presets that the user has saved. */
export function usePresets(): UserQuery<Preset[]> {
  return useUserQuery(presetCalls.list, {});
}

/** Changes of the user's presets; each resolves once the server has made it, and rejects with its refusal. */
export interface PresetChanges {
  create: (preset: NewPreset) => Promise<void>;
  replace: (id: string, preset: NewPreset) => Promise<void>;
  remove: (id: string) => Promise<void>;
}

/** Returns the changes of the user's presets. */
export function usePresetChanges(): PresetChanges {
  const store = useStore();
  const changed = async (call: Promise<unknown>) => {
    await call;
    refetch(store, userKeys.presets);
  };
  return {
    create: (body) => changed(request(presetCalls.create, { body })),
    replace: (id, body) => changed(request(presetCalls.replace, { params: { id }, body })),
    remove: (id) => changed(request(presetCalls.remove, { params: { id } })),
  };
}
