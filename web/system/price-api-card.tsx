import { CircleAlert, CircleCheck, KeyRound, PlugZap } from 'lucide-react';
import type { SystemStatus } from '../../common/admin/model.ts';
import type { ApiTest } from '../../common/sources/model.ts';
import { Button } from '../ui/button.tsx';
import { classNames } from '../ui/class-names.ts';
import { Field } from '../ui/field.tsx';
import { count } from '../ui/format.ts';
import { Ago, Fact, Facts } from './facts.tsx';
import { StateCard } from './state-card.tsx';
import { useApiTest, useKeyForm } from './use-price-api.ts';
import { keyStates, sourceStates } from './words.ts';

/** The price data API: whether it answers, and its key. */
export function PriceApiCard({ status: { sources } }: { status: SystemStatus }) {
  const source = sources.find((one) => one.source === 'solana-tracker');
  const { result, busy, test } = useApiTest();
  return (
    <StateCard title="Price Data API" {...(source === undefined ? {} : { state: sourceStates[source.state] })}>
      <Facts>
        <Fact label="Service">Solana Tracker</Fact>
        {source !== undefined && <Fact label="API key">{keyStates[source.key]}</Fact>}
      </Facts>
      <div>
        <Button busy={busy} onClick={() => void test()}>
          <PlugZap size={14} strokeWidth={1.75} aria-hidden="true" />
          Test Connection
        </Button>
        <div role="status">
          {result !== null && (
            <div className="mt-3">
              <Result result={result} />
            </div>
          )}
        </div>
      </div>
      <KeyPart />
    </StateCard>
  );
}

function Result({ result }: { result: ApiTest }) {
  const { success, message, apiUrl, timestamp, creditsUsed, troubleshooting } = result;
  const Icon = success ? CircleCheck : CircleAlert;
  const look = success ? 'text-accent' : 'text-down';
  return (
    <div className="flex flex-col gap-3">
      <div className="flex items-start gap-2 text-sm">
        <Icon size={16} strokeWidth={1.75} aria-hidden="true" className={classNames('mt-0.5 shrink-0', look)} />
        <div className="min-w-0">
          <p className={classNames('font-semibold', look)}>{success ? 'Connected' : 'Not connected'}</p>
          <p className="break-words">{message}</p>
        </div>
      </div>
      <Facts>
        <Fact label="Address">
          <span className="break-all">{apiUrl}</span>
        </Fact>
        <Fact label="Credits left">{count(creditsUsed)}</Fact>
        <Fact label="Tested">
          <Ago at={timestamp} />
        </Fact>
      </Facts>
      {troubleshooting.length > 0 && (
        <div className="text-sm">
          <p className="font-semibold">Troubleshooting</p>
          <ol aria-label="Troubleshooting" className="list-decimal pl-5 text-muted">
            {troubleshooting.map((tip) => (
              <li key={tip}>{tip}</li>
            ))}
          </ol>
        </div>
      )}
    </div>
  );
}

function KeyPart() {
  const { key, setKey, error, busy, apiStatus, submit } = useKeyForm();
  return (
    <form
      noValidate
      className="flex flex-col gap-3 border-line border-t pt-3"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <Field
        label="New API key"
        type="password"
        icon={<KeyRound size={16} strokeWidth={1.75} aria-hidden="true" />}
        value={key}
        onChange={(event) => setKey(event.target.value)}
        hint="Stored encrypted, and never shown again."
        error={error}
        autoComplete="off"
        spellCheck={false}
      />
      <div>
        <Button type="submit" busy={busy}>
          Update Key
        </Button>
      </div>
      {apiStatus !== null && (
        <p role="status" className="break-words text-muted text-xs">
          The service says: {apiStatus}
        </p>
      )}
    </form>
  );
}
