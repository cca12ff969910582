import { useState } from 'react';
import type { TradingAccount } from '../../../common/trading/account.ts';
import { useMutation } from '../../http/use-mutation.ts';
import { serverClockAtom } from '../../live/atoms/clock.ts';
import { useAtomValue, useStore } from '../../store.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Notice } from '../../ui/notice.tsx';
import { toast } from '../../ui/toast-store.ts';
import { lockText, namedLocks } from '../locks.ts';
import { liftGuard } from '../state/changes.ts';
import { useTradingAccount } from '../state/trading.ts';

/** Names the locks of protections and their end above every page; renders nothing without one. */
export function LocksBanner() {
  const account = useTradingAccount();
  return account === null || account.locks.length === 0 ? null : <NamedLocks account={account} />;
}

/** A separate component, so that the clock repaints nothing while there is no lock. */
function NamedLocks({ account }: { account: TradingAccount }) {
  const now = useAtomValue(serverClockAtom);
  const locks = namedLocks(account, now);
  if (locks.length === 0) return null;
  const isGuarded = locks.some(({ kind }) => kind === 'stop-loss-guard');
  // A full account is no trouble by itself.
  const isHarmless = locks.every(({ kind }) => kind === 'open-positions' || kind === 'cooldown');
  return (
    <div className="mb-3">
      <Notice tone={isHarmless ? 'info' : 'warning'} action={isGuarded && <LiftButton />}>
        {locks.map((lock) => (
          <p key={lock.kind}>{lockText(lock, now)}</p>
        ))}
      </Notice>
    </div>
  );
}

/** Ends the lock of the stop-loss guard, after a question. With real money the password is asked for. */
function LiftButton() {
  const store = useStore();
  const [open, setOpen] = useState(false);
  const { pending, run } = useMutation(async () => {
    await liftGuard(store);
    setOpen(false);
    toast({ title: 'Lock Lifted', description: 'Rules and strategies can buy again.' });
  });
  return (
    <>
      <Button size="sm" onClick={() => setOpen(true)}>
        Lift lock
      </Button>
      <Confirm
        open={open}
        title="Lift the lock of the stop-loss guard?"
        verb="Lift lock"
        busy={pending}
        onCancel={() => setOpen(false)}
        onConfirm={() => void run()}
      >
        Rules and strategies buy again at once, although your last positions were sold at their stop loss. The guard
        counts from zero.
      </Confirm>
    </>
  );
}
