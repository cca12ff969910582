import { type ReactNode, useState } from 'react';
import { authCalls } from '../../common/auth/http.ts';
import type { Proof, SecondFactorSetup } from '../../common/auth/model.ts';
import { refreshSession, useHasSecondFactor } from '../auth/session.ts';
import { request } from '../http/client.ts';
import { useMutation } from '../http/use-mutation.ts';
import { useStore } from '../store.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { toast } from '../ui/toast-store.ts';
import { ApiKeyList } from './api-keys.tsx';
import { ChangePassword } from './change-password.tsx';
import { PasswordDialog } from './password-dialog.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { SessionList } from './session-list.tsx';
import { TwoStepSetup } from './two-step-setup.tsx';

type Open = 'password' | 'off' | 'renew' | null;

/** Password, two-step login, sessions and API keys of the signed-in user. */
export function SecurityCard() {
  const [open, setOpen] = useState<Open>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const [setup, setSetup] = useState<SecondFactorSetup | null>(null);
  const [showsSessions, setShowsSessions] = useState(false);
  const [showsKeys, setShowsKeys] = useState(false);
  const isOn = useHasSecondFactor();
  const close = () => setOpen(null);
  const begin = useMutation(async () => setSetup((await request(authCalls.setUpSecondFactor)).data));

  return (
    <Card title="Security">
      <ul className="flex flex-col divide-y divide-line">
        <Row title="Password" text="A change ends all other sessions.">
          <Button size="sm" onClick={() => setOpen('password')}>
            Change password
          </Button>
        </Row>
        <Row
          title="Two-step login"
          text={
            isOn
              ? 'On: a login needs your password and a code of your authenticator app.'
              : 'Off. With it, a stolen password alone is not enough to log in.'
          }
        >
          {isOn ? (
            <>
              <Button size="sm" onClick={() => setOpen('renew')}>
                New recovery codes
              </Button>
              <Button size="sm" onClick={() => setOpen('off')}>
                Switch off
              </Button>
            </>
          ) : (
            <Button size="sm" busy={begin.pending} onClick={() => void begin.run()}>
              Set up
            </Button>
          )}
        </Row>
        <Row title="Sessions" text="Browsers in which you are logged in.">
          <Button size="sm" aria-expanded={showsSessions} onClick={() => setShowsSessions(!showsSessions)}>
            {showsSessions ? 'Hide sessions' : 'Show sessions'}
          </Button>
        </Row>
      </ul>
      {showsSessions && <SessionList />}
      <ul className="mt-3 border-line border-t pt-2">
        <Row title="API keys" text="For programs of yours that read, or trade within limits.">
          <Button size="sm" aria-expanded={showsKeys} onClick={() => setShowsKeys(!showsKeys)}>
            {showsKeys ? 'Hide API keys' : 'Show API keys'}
          </Button>
        </Row>
      </ul>
      {showsKeys && <ApiKeyList />}
      {open === 'password' && <ChangePassword onClose={close} />}
      {setup !== null && <TwoStepSetup setup={setup} onClose={() => setSetup(null)} />}
      {(open === 'off' || open === 'renew') && <TwoStepDialog kind={open} onClose={close} onCodes={setCodes} />}
      {codes !== null && <RecoveryCodes codes={codes} onClose={() => setCodes(null)} />}
    </Card>
  );
}

/** Asks for password and code, and then switches two-step login off or renews the recovery codes. */
function TwoStepDialog(props: {
  kind: 'off' | 'renew';
  onClose: () => void;
  onCodes: (codes: readonly string[]) => void;
}) {
  const { kind, onClose, onCodes } = props;
  const store = useStore();

  async function switchOff(proof: Proof): Promise<void> {
    await request(authCalls.disableSecondFactor, { body: proof });
    await refreshSession(store);
    toast({ title: 'Two-step login is off', description: 'From now on your password alone logs you in.' });
  }

  async function renew(proof: Proof): Promise<void> {
    const { data } = await request(authCalls.renewRecoveryCodes, { body: proof });
    onCodes(data.recoveryCodes);
  }

  return kind === 'off' ? (
    <PasswordDialog
      title="Switch two-step login off"
      description="From then on your password alone logs you in. Your recovery codes are deleted."
      verb="Switch off"
      onClose={onClose}
      onPassword={switchOff}
    />
  ) : (
    <PasswordDialog
      title="New recovery codes"
      description="The present recovery codes can't be used any more."
      verb="Create codes"
      onClose={onClose}
      onPassword={renew}
    />
  );
}

function Row({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3 first:pt-1 last:pb-0">
      <div className="min-w-0 flex-1 basis-56">
        <h3 className="font-medium text-sm">{title}</h3>
        <p className="text-muted text-sm">{text}</p>
      </div>
      <div className="flex flex-wrap gap-2">{children}</div>
    </li>
  );
}
