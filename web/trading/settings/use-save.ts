import type { TradingAccountChange } from '../../../common/trading/account.ts';
import { useMutation } from '../../http/use-mutation.ts';
import { useStore } from '../../store.ts';
import { toast } from '../../ui/toast-store.ts';
import { changeAccount } from '../state/changes.ts';

/** Returns what saves a partial change of the account and shows it in a toast with this title. */
export function useSaveTrading(title: string, onSaved: () => void = () => undefined) {
  const store = useStore();
  return useMutation(async (change: TradingAccountChange) => {
    await changeAccount(store, change);
    onSaved();
    toast({ title, description: 'Your trading settings have been saved.' });
  });
}
