import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { type ChainConfig, clusterNames } from '../../../common/client-config/model.ts';
import { walletCalls } from '../../../common/wallet/http.ts';
import { request } from '../../http/client.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { exactSol, grouped } from '../amounts.ts';
import { FocusedPassword, NO_PASSWORD, refusalText } from '../password-dialog.tsx';
import type { TransferPlan } from './transfer-check.ts';
import type { TransferFlow } from './transfer-flow.ts';
import type { TransferState } from './transfer-state.ts';

interface Props {
  userId: string;
  flow: TransferFlow;
  config: ChainConfig;
  privateKey: string | null;
}

/** Shows the transfer once more before it is sent, and asks for the password when the key is not in memory. */
export function TransferDialog({ state, ...rest }: Props & { state: TransferState }) {
  if (state.phase !== 'confirming' && state.phase !== 'signing') return null;
  const problem = state.phase === 'confirming' ? state.problem : null;
  return <Question {...rest} plan={state.plan} problem={problem} signing={state.phase === 'signing'} />;
}

function Question({
  userId,
  flow,
  config,
  privateKey,
  plan,
  problem,
  signing,
}: Props & { plan: TransferPlan; problem: string | null; signing: boolean }) {
  const [password, setPassword] = useState('');
  /** The error of the current input; null before any. */
  const [error, setError] = useState<string | null>(null);
  const formId = useId();

  async function key(): Promise<string> {
    if (privateKey !== null) return privateKey;
    try {
      const { data } = await request(walletCalls.reveal, { params: { userId }, body: { password } });
      if (data.walletAddress === plan.from) return data.privateKey;
    } catch (reason) {
      throw new Error(refusalText(reason), { cause: reason });
    }
    throw new Error('Your wallet was changed in the meantime. Close this and look again.');
  }

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (privateKey === null && password === '') return setError(NO_PASSWORD);
    setError(null);
    await flow.confirm(key);
  }

  const said = error ?? (signing ? null : problem);
  return (
    <Dialog
      open
      busy={signing}
      onClose={flow.cancel}
      title="Send SOL?"
      description="Transfers are final: check the amount and the address."
      footer={
        <>
          <Button onClick={flow.cancel} disabled={signing}>
            Cancel
          </Button>
          <Button type="submit" form={formId} variant="primary" disabled={signing}>
            {signing && <Spinner />}
            {signing ? 'Processing Transfer...' : `Send ${exactSol(plan.lamports)}`}
          </Button>
        </>
      }
    >
      <form id={formId} noValidate className="flex flex-col gap-4" onSubmit={(event) => void submit(event)}>
        <Summary plan={plan} network={clusterNames[config.cluster]} />
        {plan.warnings.map((warning) => (
          <Notice key={warning} tone="warning">
            {warning}
          </Notice>
        ))}
        {privateKey === null ? (
          <FocusedPassword
            value={password}
            error={said ?? undefined}
            onChange={(value) => {
              setPassword(value);
              // The server's error was about another password.
              setError('');
            }}
          />
        ) : (
          said && <Notice tone="danger">{said}</Notice>
        )}
      </form>
    </Dialog>
  );
}

function Summary({ plan, network }: { plan: TransferPlan; network: string }) {
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-2 text-sm">
      <Line name="Amount">
        <span className="font-semibold">{exactSol(plan.lamports)}</span>
      </Line>
      <Line name="Network fee">{exactSol(plan.fee)}</Line>
      <Line name="To">
        <span className="flex flex-wrap gap-x-1.5 font-mono" title={plan.to}>
          {chunks(plan.to).map(({ at, text }) => (
            <span key={at}>{text}</span>
          ))}
        </span>
      </Line>
      <Line name="Network">{network}</Line>
      <Line name="Left in the wallet">{exactSol(plan.left)}</Line>
    </dl>
  );
}

function chunks(text: string): { at: number; text: string }[] {
  let at = 0;
  return grouped(text).map((group) => {
    const chunk = { at, text: group };
    at += group.length;
    return chunk;
  });
}

function Line({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0 tabular-nums">{children}</dd>
    </>
  );
}
