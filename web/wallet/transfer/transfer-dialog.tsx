import { zodResolver } from '@hookform/resolvers/zod';
import { type ReactNode, useEffect, useId } from 'react';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import type { Proof } from '../../../common/auth/model.ts';
import { type ChainConfig, clusterNames } from '../../../common/client-config/model.ts';
import { walletCalls } from '../../../common/wallet/http.ts';
import { passwordErrorText, proofFormSchema } from '../../account/password-dialog.tsx';
import { CodeField, PasswordField } from '../../auth/auth-form.tsx';
import { useHasSecondFactor } from '../../auth/session.ts';
import { request } from '../../http/client.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { exactSol, groupsOfFour } from '../amounts.ts';
import type { TransferPlan } from './transfer-check.ts';
import type { TransferFlow } from './transfer-flow.ts';
import type { TransferState } from './transfer-state.ts';

const heldKeyFormSchema = z.object({ password: z.string(), code: z.string() });

interface Props {
  userId: string;
  flow: TransferFlow;
  config: ChainConfig;
  privateKey: string | null;
}

/** The confirmation of a transfer, which asks for the password unless the private key is held. */
export function TransferDialog({ state, ...rest }: Props & { state: TransferState }) {
  if (state.phase !== 'confirming' && state.phase !== 'signing') return null;
  const problem = state.phase === 'confirming' ? state.problem : null;
  return <ConfirmTransfer {...rest} plan={state.plan} problem={problem} signing={state.phase === 'signing'} />;
}

interface ConfirmProps extends Props {
  plan: TransferPlan;
  /** Error of the last attempt to get the key. */
  problem: string | null;
  signing: boolean;
}

function ConfirmTransfer({ userId, flow, config, privateKey, plan, problem, signing }: ConfirmProps) {
  const formId = useId();
  const withCode = useHasSecondFactor();
  const form = useForm({
    resolver: zodResolver(privateKey === null ? proofFormSchema : heldKeyFormSchema),
    defaultValues: { password: '', code: '' },
  });
  const { setError } = form;
  useEffect(() => {
    if (problem !== null) setError('password', { message: problem });
  }, [setError, problem]);
  const error = signing ? undefined : form.formState.errors.password?.message;
  const submit = form.handleSubmit(({ password, code }) =>
    flow.confirm(async () => privateKey ?? fetchKey(userId, plan.from, withCode ? { password, code } : { password })),
  );
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
          <>
            <PasswordField
              label="Password"
              autoComplete="current-password"
              data-autofocus
              error={error}
              {...form.register('password')}
            />
            {withCode && <CodeField {...form.register('code')} />}
          </>
        ) : (
          error !== undefined && <Notice tone="danger">{error}</Notice>
        )}
      </form>
    </Dialog>
  );
}

/** Fetches the private key. Throws with a text for the user when it is refused or belongs to another wallet. */
async function fetchKey(userId: string, address: string, proof: Proof): Promise<string> {
  try {
    const { data } = await request(walletCalls.reveal, { params: { userId }, body: proof });
    if (data.walletAddress === address) return data.privateKey;
  } catch (reason) {
    throw new Error(passwordErrorText(reason), { cause: reason });
  }
  throw new Error('Your wallet was changed in the meantime. Close this dialog and check it.');
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
          {groupsOfFour(plan.to).map(({ at, text }) => (
            <span key={at}>{text}</span>
          ))}
        </span>
      </Line>
      <Line name="Network">{network}</Line>
      <Line name="Left in the wallet">{exactSol(plan.left)}</Line>
    </dl>
  );
}

function Line({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0 tabular-nums">{children}</dd>
    </>
  );
}
