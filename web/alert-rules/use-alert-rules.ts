import { alertRuleCalls } from '../../common/alerts/rules/http.ts';
import type { AlertRule, AlertRuleChange, NewPresetAlert, NewTargetAlert } from '../../common/alerts/rules/model.ts';
import { request } from '../http/client.ts';
import { refetch } from '../http/query.ts';
import { useMutation } from '../http/use-mutation.ts';
import { type UserQuery, useUserQuery } from '../live/hooks/use-user-query.ts';
import { useStore } from '../store.ts';
import { toast } from '../ui/toast-store.ts';
import { userKeys } from '../users/user-cache.ts';

/** Returns the alerts that the user has set up, oldest first. */
export function useAlertRules(): UserQuery<AlertRule[]> {
  return useUserQuery(alertRuleCalls.list, {});
}

/** Changes of the alerts that the user has set up; each resolves once the server has made it, and rejects with its refusal. */
interface AlertRuleChanges {
  createForPreset: (input: NewPresetAlert) => Promise<void>;
  createAtPrice: (input: NewTargetAlert) => Promise<void>;
  change: (id: string, change: AlertRuleChange) => Promise<void>;
  remove: (id: string) => Promise<void>;
}

export function useAlertRuleChanges(): AlertRuleChanges {
  const store = useStore();
  const changed = async (call: Promise<unknown>) => {
    await call;
    refetch(store, userKeys.alertRules);
  };
  return {
    createForPreset: (body) => changed(request(alertRuleCalls.createForPreset, { body })),
    createAtPrice: (body) => changed(request(alertRuleCalls.createAtPrice, { body })),
    change: (id, body) => changed(request(alertRuleCalls.change, { params: { id }, body })),
    remove: (id) => changed(request(alertRuleCalls.remove, { params: { id } })),
  };
}

/** Returns the function that mutes an alert for an hour. */
export function useMute(): (id: string) => void {
  const { change } = useAlertRuleChanges();
  const muting = useMutation(async (id: string) => {
    await change(id, { muted: true });
    toast({ title: 'Muted for 1 h', description: 'Unmute it in Settings › Alert Settings.' });
  });
  return (id) => void muting.run(id);
}
