import type { ReactNode } from 'react';
import type { SystemStatus } from '../../common/admin/model.ts';
import { count } from '../ui/format.ts';
import { Ago, Fact, Facts, StateCard } from './state-card.tsx';

type Network = SystemStatus['network'];
type Version = NonNullable<Network['versions']>['value'][number];

/** What the server knows of the Solana network, each as of a time. */
export function NetworkCard({ status: { network } }: { status: SystemStatus }) {
  const { slotMs, rentPerByteLamports, isAlpenglow, versions } = network;
  return (
    <StateCard title="Solana Network">
      <Facts>
        <Known label="Slot length" fact={slotMs}>
          {(ms) => `${ms} ms`}
        </Known>
        <Known label="Rent a byte" fact={rentPerByteLamports}>
          {(lamports) => `${count(lamports)} lamports`}
        </Known>
        <Known label="Alpenglow" fact={isAlpenglow}>
          {(isActive) => (isActive ? 'active' : 'not active')}
        </Known>
        <Known label="Transaction versions seen" fact={versions}>
          {(seen) => seen.toSorted(byVersion).join(', ')}
        </Known>
      </Facts>
    </StateCard>
  );
}

/** Compares versions of transactions; the oldest has no number. */
function byVersion(one: Version, other: Version): number {
  return (one === 'legacy' ? -1 : one) - (other === 'legacy' ? -1 : other);
}

function Known<Value>(props: {
  label: string;
  fact: { value: Value; at: string } | null;
  children: (value: Value) => ReactNode;
}) {
  const { label, fact, children } = props;
  return (
    <Fact label={label}>
      {fact === null ? (
        'unknown'
      ) : (
        <>
          {children(fact.value)}{' '}
          <span className="whitespace-nowrap text-muted text-xs">
            (<Ago at={fact.at} />)
          </span>
        </>
      )}
    </Fact>
  );
}
