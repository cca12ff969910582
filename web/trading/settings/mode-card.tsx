import { zodResolver } from '@hookform/resolvers/zod';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { LIVE_WORD, type TradingAccount, type TradingMode, tradingModeNames } from '../../../common/trading/account.ts';
import { useMutation } from '../../http/use-mutation.ts';
import { useStore } from '../../store.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { FormDialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { utcTime } from '../../ui/format.ts';
import { Notice } from '../../ui/notice.tsx';
import { toast } from '../../ui/toast-store.ts';
import { exactSol } from '../format.ts';
import { ModeBadge } from '../mode-badge.tsx';
import { resetPaper } from '../state/changes.ts';
import { useSaveTrading } from './use-save.ts';

const modeTexts: Record<TradingMode, string> = {
  paper: 'Fills are computed from the market. Nothing is signed or sent.',
  local: 'Play money on the local Solana chain, with real transactions.',
  live: 'Real money. Built and tested against the published interface, but not yet seen on mainnet.',
};

/** Chooses where orders go, and shows the play money of paper trading. */
export function ModeCard({ account, mode }: { account: TradingAccount; mode: TradingMode }) {
  const [isLiveOpen, setIsLiveOpen] = useState(false);
  const { pending, run } = useSaveTrading('Mode Changed');
  function choose(next: TradingMode): void {
    if (next === mode) return;
    if (next === 'live') setIsLiveOpen(true);
    else void run({ mode: next });
  }
  return (
    <Card title="Mode" actions={<ModeBadge mode={mode} />}>
      <fieldset className="flex flex-col gap-2" disabled={pending}>
        <legend className="sr-only">Mode</legend>
        {account.modes.map((one) => (
          <label
            key={one}
            className={classNames(
              'flex cursor-pointer items-start gap-3 rounded-md border px-3 py-2.5',
              one === mode ? 'border-accent/50 bg-accent/10' : 'border-line-strong hover:bg-text/6',
            )}
          >
            <input
              type="radio"
              name="trading-mode"
              className="mt-1 accent-accent"
              checked={one === mode}
              onChange={() => choose(one)}
            />
            <span>
              <span className="block font-medium text-sm">{tradingModeNames[one]}</span>
              <span className="block text-muted text-xs">{modeTexts[one]}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <PaperBalance account={account} />
      {isLiveOpen && <LiveDialog onClose={() => setIsLiveOpen(false)} />}
    </Card>
  );
}

function PaperBalance({ account: { paper } }: { account: TradingAccount }) {
  const store = useStore();
  const [open, setOpen] = useState(false);
  const { pending, run } = useMutation(async () => {
    await resetPaper(store);
    setOpen(false);
    toast({ title: 'Paper Balance Reset', description: 'The paper positions are closed.' });
  });
  return (
    <div className="mt-4 flex flex-wrap items-center justify-between gap-3 border-line border-t pt-3">
      <p className="text-sm tabular-nums">
        Paper balance <span className="font-medium">{exactSol(paper.lamports)} SOL</span>
        <span className="block text-muted text-xs">Since {utcTime(paper.resetAt)}</span>
      </p>
      <Button size="sm" onClick={() => setOpen(true)}>
        Reset
      </Button>
      <Confirm
        open={open}
        title="Reset the paper balance?"
        verb="Reset"
        busy={pending}
        onCancel={() => setOpen(false)}
        onConfirm={() => void run()}
      >
        Your play money returns to its start, and all paper positions close. This can't be undone.
      </Confirm>
    </div>
  );
}

const liveSchema = z.object({
  word: z.string().refine((word) => word === LIVE_WORD, `Type ${LIVE_WORD} to continue.`),
});

/** Asks for the word that switches to real money; the server then asks for the password. */
function LiveDialog({ onClose }: { onClose: () => void }) {
  const form = useForm({ resolver: zodResolver(liveSchema), defaultValues: { word: '' } });
  const { pending, run } = useSaveTrading('Mode Changed', onClose);
  const submit = form.handleSubmit(() => run({ mode: 'live', confirm: LIVE_WORD }));
  return (
    <FormDialog
      onClose={onClose}
      busy={pending}
      title="Trade with real money?"
      verb="Trade with real money"
      variant="destructive"
      onSubmit={submit}
    >
      <Notice tone="warning">
        Orders then spend the SOL of your wallet, within your limits. New tokens often lose all of their value, and no
        figure here calls one safe.
      </Notice>
      <Field
        label={`Type ${LIVE_WORD} to confirm`}
        data-autofocus=""
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        error={form.formState.errors.word?.message}
        {...form.register('word')}
      />
    </FormDialog>
  );
}
