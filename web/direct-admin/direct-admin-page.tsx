import { KeyRound } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import { maintenanceCalls } from '../../common/maintenance/http.ts';
import { callQuery } from '../http/query.ts';
import { atomWithQuery, useAtomValue } from '../store.ts';
import { Backdrop } from '../ui/backdrop.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Confirm } from '../ui/confirm.tsx';
import { Field } from '../ui/field.tsx';
import { Wordmark } from '../ui/logo.tsx';
import { Notice } from '../ui/notice.tsx';
import { Scanners } from './scanners.tsx';
import { type DirectAction, directActions, useDirectRun } from './use-direct-run.ts';

/** The scanners' state is fetched this often; this page has no session, so no live feed either. */
const STATE_EVERY_MS = 10_000;

const stateAtom = atomWithQuery(() => ({
  ...callQuery(maintenanceCalls.directAdmin, {}),
  refetchInterval: STATE_EVERY_MS,
  refetchOnMount: 'always' as const,
}));

/** `/direct-admin`: maintenance by an admin key instead of a session. */
export default function DirectAdminPage() {
  useEffect(() => {
    document.title = 'Direct Admin · Mintwatch';
  }, []);
  const { data, error, isFetching, refetch } = useAtomValue(stateAtom);
  return (
    <div className="relative isolate min-h-dvh px-4 py-8 max-sm:px-3">
      <Backdrop />
      <main className="mx-auto flex w-full max-w-2xl flex-col gap-4">
        <Link href="/" className="-m-1 self-start rounded-md p-1" aria-label="Mintwatch, to the front page">
          <Wordmark />
        </Link>
        <h1 className="font-semibold text-xl tracking-tight">Direct Admin</h1>
        <Notice tone="warning" title="For testing">
          This page bypasses session authentication for testing. Whoever knows the admin key can remove tokens for
          everybody, and every use is recorded.
        </Notice>
        <Card title="Scanners">
          <Scanners
            scanners={data?.scanners ?? null}
            error={error === null ? null : error.message}
            busy={isFetching}
            onRetry={() => void refetch()}
          />
        </Card>
        {data?.enabled === false && (
          <Notice tone="info" title="Direct access is switched off">
            The server has no DIRECT_ADMIN_KEY of at least 24 characters. Administrators find the same actions on their
            own page, after signing in.
          </Notice>
        )}
        {data?.enabled === true && <Actions />}
      </main>
    </div>
  );
}

const actions: readonly DirectAction[] = ['mock-tokens', 'invalid-tokens', 'aggregator'];

function Actions() {
  const [key, setKey] = useState('');
  const [missing, setMissing] = useState(false);
  const [asking, setAsking] = useState<DirectAction | null>(null);
  const { running, ended, run } = useDirectRun(key.trim());

  function ask(action: DirectAction): void {
    setMissing(key.trim() === '');
    if (key.trim() !== '') setAsking(action);
  }

  return (
    <Card title="Maintenance">
      <div className="flex flex-col gap-4">
        <Field
          label="Admin key"
          type="password"
          icon={<KeyRound size={16} strokeWidth={1.75} aria-hidden="true" />}
          value={key}
          onChange={(event) => setKey(event.target.value)}
          autoComplete="off"
          spellCheck={false}
          hint="The server's DIRECT_ADMIN_KEY. It is kept on this page only, until you leave it."
          error={missing && key.trim() === '' ? 'Please enter the admin key.' : undefined}
        />
        <div className="flex flex-wrap gap-2">
          {actions.map((action) => (
            <Button
              key={action}
              variant={action === 'aggregator' ? 'secondary' : 'destructive'}
              busy={running === action}
              disabled={running !== null}
              onClick={() => ask(action)}
            >
              {directActions[action].label}
            </Button>
          ))}
        </div>
        {ended !== null && (
          <div role={ended.ok ? 'status' : 'alert'}>
            <Notice tone={ended.ok ? 'info' : 'danger'} title={directActions[ended.action].label}>
              {ended.text}
            </Notice>
          </div>
        )}
      </div>
      {asking !== null && (
        <Confirm
          open
          title={`${directActions[asking].label}?`}
          verb={directActions[asking].label}
          destructive={asking !== 'aggregator'}
          onCancel={() => setAsking(null)}
          onConfirm={() => {
            setAsking(null);
            void run(asking);
          }}
        >
          {directActions[asking].what}
        </Confirm>
      )}
    </Card>
  );
}
