import { type ReactNode, useState } from 'react';
import type { Stopped } from '../../../common/trading/account.ts';
import { reason, reasonText } from '../../../common/trading/reasons.ts';
import { useMutation } from '../../http/use-mutation.ts';
import { useStore } from '../../store.ts';
import { Button } from '../../ui/button.tsx';
import { utcTime } from '../../ui/format.ts';
import { Notice } from '../../ui/notice.tsx';
import { toast } from '../../ui/toast-store.ts';
import { resumeTrading } from '../state/changes.ts';
import { useTradingAccount } from '../state/trading.ts';
import { StopReportDialog } from './stop-report-dialog.tsx';

const stoppers: Record<Stopped['by'], string> = {
  user: 'You stopped it',
  telegram: 'You stopped it by Telegram',
  admin: 'An administrator stopped it',
};

/** Shows that nothing is bought, above every page; renders nothing while buying is possible. */
export function StoppedBanner() {
  const account = useTradingAccount();
  const [open, setOpen] = useState(false);
  if (account === null || (account.stopped === null && !account.stoppedAll)) return null;
  const { stopped, stoppedAll } = account;
  return (
    <div className="mb-3">
      <Notice
        tone="warning"
        title="Buying is stopped"
        action={
          stopped !== null && (
            <div className="flex gap-2">
              <Button size="sm" onClick={() => setOpen(true)}>
                Show report
              </Button>
              <ResumeButton>Resume trading</ResumeButton>
            </div>
          )
        }
      >
        {stoppedAll && `${reasonText(reason('stopped-all'))} `}
        {stopped !== null && `${stoppers[stopped.by]} at ${utcTime(stopped.at)}. `}
        Open positions can still be sold
        {stopped?.pausesExits ? '; their exits are paused.' : ', and their exits go on.'}
      </Notice>
      {open && <StopReportDialog onClose={() => setOpen(false)} />}
    </div>
  );
}

/** Allows buying again. With real money the password is asked for. */
export function ResumeButton({ children }: { children: ReactNode }) {
  const store = useStore();
  const { pending, run } = useMutation(async () => {
    await resumeTrading(store);
    toast({ title: 'Trading Resumed', description: 'You can buy again.' });
  });
  return (
    <Button size="sm" variant="primary" busy={pending} onClick={() => void run()}>
      {children}
    </Button>
  );
}
