import { Link, useParams } from 'wouter';
import { Loaded } from '../http/loaded.tsx';
import { usePageTitle } from '../layout/page-title.ts';
import { Fact, Facts } from '../tokens/detail/fact.tsx';
import { Card } from '../ui/card.tsx';
import { CopyAddress } from '../ui/copy-address.tsx';
import type { DataColumn } from '../ui/data-table.tsx';
import { count, utcTime } from '../ui/format.ts';
import { SpinnerPage } from '../ui/spinner.tsx';
import { TableCard } from '../ui/table-card.tsx';
import { AddressLink } from './address-link.tsx';
import { programName, solText, unitsText } from './amounts.ts';
import { type AccountView, type HeldTokens, type NodeSignature, readAccount, SIGNATURES_SHOWN } from './node.ts';
import { useNode } from './use-node.ts';

/** An account of the configured chain, read from its node: its balance, its tokens, and its newest transactions. */
export default function AccountPage() {
  const { address } = useParams<{ address: string }>();
  usePageTitle('Account');
  const query = useNode('account', readAccount, address);
  return (
    <Loaded query={query} problem="The account cannot be read" waiting={<SpinnerPage label="Loading account" />}>
      {(view) => (
        <div className="flex min-w-0 flex-col gap-3">
          <Summary address={address} view={view} />
          <TableCard
            title="Tokens"
            empty="This account owns no tokens."
            columns={tokenColumns}
            rows={view.tokens}
            rowId={({ account }) => account}
          />
          <TableCard
            title={`Newest transactions, at most ${SIGNATURES_SHOWN}`}
            empty="This account took part in no transaction."
            columns={signatureColumns}
            rows={view.signatures}
            rowId={({ signature }) => signature}
          />
        </div>
      )}
    </Loaded>
  );
}

function Summary({ address, view: { account } }: { address: string; view: AccountView }) {
  return (
    <Card title="Account">
      <Facts>
        <Fact label="Address">
          <CopyAddress address={address} full />
        </Fact>
        {programName(address) !== null && <Fact label="Program">{programName(address)}</Fact>}
        <Fact label="Balance">{account === null ? '0 SOL' : solText(account.lamports)}</Fact>
        {account === null ? (
          <Fact label="State">It holds nothing, so the chain has no account here.</Fact>
        ) : (
          <>
            <Fact label="Owner">
              <AddressLink address={account.owner} full />
            </Fact>
            <Fact label="Data">{account.space === undefined ? '–' : `${count(account.space)} bytes`}</Fact>
            {account.executable && <Fact label="State">Executable</Fact>}
            {'parsed' in account.data && <Parsed {...account.data.parsed} />}
          </>
        )}
      </Facts>
    </Card>
  );
}

/** Shows what the node reads in the data of a mint or a token account. */
function Parsed({ type, info }: { type: string; info: Record<string, unknown> }) {
  return (
    <>
      <Fact label="Kind">{type}</Fact>
      {Object.entries(info).map(([name, value]) => (
        <Fact key={name} label={name}>
          <code className="break-all text-xs">{typeof value === 'string' ? value : JSON.stringify(value)}</code>
        </Fact>
      ))}
    </>
  );
}

const tokenColumns: readonly DataColumn<HeldTokens>[] = [
  {
    id: 'mint',
    label: 'Token',
    rowHeader: true,
    cell: ({ mint }) => (
      <span className="font-normal">
        <AddressLink address={mint} />
      </span>
    ),
  },
  { id: 'account', label: 'Token account', cell: ({ account }) => <AddressLink address={account} /> },
  {
    id: 'amount',
    label: 'Amount',
    align: 'right',
    cell: ({ amount, decimals }) => unitsText(BigInt(amount), decimals),
  },
];

const signatureColumns: readonly DataColumn<NodeSignature>[] = [
  {
    id: 'signature',
    label: 'Signature',
    rowHeader: true,
    cell: ({ signature }) => (
      <Link
        href={`/app/explorer/tx/${encodeURIComponent(signature)}`}
        title={signature}
        className="font-mono font-normal text-xs underline decoration-line underline-offset-2 hover:decoration-current"
      >
        {signature.slice(0, 12)}…
      </Link>
    ),
  },
  {
    id: 'result',
    label: 'Result',
    cell: ({ err }) =>
      err === null ? <span className="text-up">Success</span> : <span className="text-down">Failed</span>,
  },
  { id: 'slot', label: 'Slot', align: 'right', cell: ({ slot }) => count(slot) },
  {
    id: 'time',
    label: 'Time',
    align: 'right',
    cell: ({ blockTime }) => (blockTime == null ? '–' : utcTime(blockTime * 1_000)),
  },
];
