import { zodResolver } from '@hookform/resolvers/zod';
import { KeyRound } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useForm } from 'react-hook-form';
import { Link } from 'wouter';
import { z } from 'zod';
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
import { type DirectAction, useDirectAction } from './use-direct-action.ts';

/** Interval of fetching the state of the scanners, ms. Without a session this page has no live feed. */
const POLL_MS = 10_000;

const stateAtom = atomWithQuery(() => ({
  ...callQuery(maintenanceCalls.directAdmin, {}),
  refetchInterval: POLL_MS,
  refetchOnMount: 'always' as const,
}));

/** The page `/direct-admin`: maintenance with an admin key instead of a session. */
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
          This page bypasses session authentication for testing. Anyone with the admin key can remove tokens for all
          users, and every use is recorded.
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

interface ActionText {
  action: DirectAction;
  label: string;
  consequence: string;
  destructive: boolean;
}

const actions: readonly ActionText[] = [
  {
    action: 'cleanup-mock-tokens',
    label: 'Remove Mock Tokens',
    consequence: 'All tokens of the simulated market are removed for every user, with their trades and charts.',
    destructive: true,
  },
  {
    action: 'cleanup-all-invalid-tokens',
    label: 'Deep Clean All Invalid Tokens',
    consequence:
      'Tokens that the chain does not know, and those that have neither name nor symbol after an hour, are removed for every user.',
    destructive: true,
  },
  {
    action: 'run-multi-source-aggregator',
    label: 'Run Token Aggregator',
    consequence: 'All polling sources are polled now for new tokens and for updates of known ones.',
    destructive: false,
  },
];

const keySchema = z.object({ adminKey: z.string().trim().min(1, 'Please enter the admin key.') });

function Actions() {
  const form = useForm({ resolver: zodResolver(keySchema), defaultValues: { adminKey: '' } });
  const [confirming, setConfirming] = useState<(ActionText & { adminKey: string }) | null>(null);
  const { running, outcome, run } = useDirectAction();
  return (
    <Card title="Maintenance">
      <div className="flex flex-col gap-4">
        <Field
          label="Admin key"
          type="password"
          icon={<KeyRound size={16} strokeWidth={1.75} aria-hidden="true" />}
          autoComplete="off"
          spellCheck={false}
          hint="The server's DIRECT_ADMIN_KEY. It is kept on this page only, until you leave it."
          error={form.formState.errors.adminKey?.message}
          {...form.register('adminKey')}
        />
        <div className="flex flex-wrap gap-2">
          {actions.map((one) => (
            <Button
              key={one.action}
              variant={one.destructive ? 'destructive' : 'secondary'}
              busy={running === one.action}
              disabled={running !== null}
              onClick={() => void form.handleSubmit(({ adminKey }) => setConfirming({ ...one, adminKey }))()}
            >
              {one.label}
            </Button>
          ))}
        </div>
        {outcome !== null && (
          <div role={outcome.ok ? 'status' : 'alert'}>
            <Notice tone={outcome.ok ? 'info' : 'danger'} title={labelOf(outcome.action)}>
              {outcome.text}
            </Notice>
          </div>
        )}
      </div>
      {confirming !== null && (
        <Confirm
          open
          title={`${confirming.label}?`}
          verb={confirming.label}
          destructive={confirming.destructive}
          onCancel={() => setConfirming(null)}
          onConfirm={() => {
            setConfirming(null);
            void run(confirming);
          }}
        >
          {confirming.consequence}
        </Confirm>
      )}
    </Card>
  );
}

function labelOf(action: DirectAction): string {
  return actions.find((one) => one.action === action)?.label ?? action;
}
