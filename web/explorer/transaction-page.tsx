import { CircleCheck, CircleX, SearchX } from 'lucide-react';
import { useParams } from 'wouter';
import { Loaded } from '../http/loaded.tsx';
import { usePageTitle } from '../layout/page-title.ts';
import { Fact, Facts } from '../tokens/detail/fact.tsx';
import { Card } from '../ui/card.tsx';
import { CopyAddress } from '../ui/copy-address.tsx';
import type { DataColumn } from '../ui/data-table.tsx';
import { Empty } from '../ui/empty.tsx';
import { count, utcTime } from '../ui/format.ts';
import { SpinnerPage } from '../ui/spinner.tsx';
import { TableCard } from '../ui/table-card.tsx';
import { AddressLink } from './address-link.tsx';
import { changeText, solText, unitsText } from './amounts.ts';
import { type NodeInstruction, type NodeTransaction, readTransaction } from './node.ts';
import { useNode } from './use-node.ts';

/** A transaction of the configured chain, read from its node: what it did, balances before and after, and its log. */
export default function TransactionPage() {
  const { signature } = useParams<{ signature: string }>();
  usePageTitle('Transaction');
  const query = useNode('transaction', readTransaction, signature);
  return (
    <Loaded
      query={query}
      problem="The transaction cannot be read"
      waiting={<SpinnerPage label="Loading transaction" />}
    >
      {(transaction) =>
        transaction === null ? (
          <Card flush>
            <Empty
              icon={SearchX}
              title="Not on this chain"
              text="The chain has no transaction with this signature. One that was sent a moment ago may not be confirmed yet."
            />
          </Card>
        ) : (
          <Shown transaction={transaction} signature={signature} />
        )
      }
    </Loaded>
  );
}

function Shown({ transaction, signature }: { transaction: NodeTransaction; signature: string }) {
  const { meta } = transaction;
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <Summary transaction={transaction} signature={signature} />
      <Card title="Instructions" flush>
        <ol className="divide-y divide-line">
          {numbered(transaction.transaction.message.instructions).map(({ label, at, instruction }) => (
            <li key={label} className="px-4 py-3">
              <Instruction label={label} instruction={instruction} />
              <Inner
                instructions={meta.innerInstructions?.find(({ index }) => index === at)?.instructions ?? []}
                of={label}
              />
            </li>
          ))}
        </ol>
      </Card>
      <TableCard
        title="Balances in SOL"
        columns={solColumns}
        rows={solRows(transaction)}
        rowId={({ address }) => address}
      />
      <TableCard
        title="Token balances"
        empty="No tokens moved."
        columns={tokenColumns}
        rows={tokenRows(transaction)}
        rowId={({ account }) => account}
      />
      <Card title="Log">
        <pre className="overflow-x-auto whitespace-pre-wrap break-all font-mono text-2xs text-muted leading-4">
          {(meta.logMessages ?? []).join('\n') || 'The programs wrote nothing.'}
        </pre>
      </Card>
    </div>
  );
}

function Summary({ transaction, signature }: { transaction: NodeTransaction; signature: string }) {
  const { slot, blockTime, meta, version = 'legacy' } = transaction;
  const signers = transaction.transaction.message.accountKeys.filter(({ signer }) => signer);
  const failed = meta.err !== null;
  return (
    <Card title="Transaction">
      <Facts>
        <Fact label="Signature">
          <CopyAddress address={signature} label="signature" full />
        </Fact>
        <Fact label="Result">
          <span className={`inline-flex items-center gap-1.5 ${failed ? 'text-down' : 'text-up'}`}>
            {failed ? <CircleX size={14} aria-hidden="true" /> : <CircleCheck size={14} aria-hidden="true" />}
            {failed ? 'Failed' : 'Success'}
          </span>
        </Fact>
        {failed && (
          <Fact label="Error">
            <code className="break-all text-xs">{JSON.stringify(meta.err)}</code>
          </Fact>
        )}
        <Fact label="Slot">{count(slot)}</Fact>
        <Fact label="Time">{blockTime == null ? '–' : utcTime(blockTime * 1_000)}</Fact>
        <Fact label="Fee">{solText(meta.fee)}</Fact>
        <Fact label="Compute units">{count(meta.computeUnitsConsumed ?? null)}</Fact>
        <Fact label="Version">{String(version)}</Fact>
        <Fact label={signers.length === 1 ? 'Signer' : 'Signers'}>
          <span className="flex flex-col items-end gap-1">
            {signers.map(({ pubkey }) => (
              <AddressLink key={pubkey} address={pubkey} full />
            ))}
          </span>
        </Fact>
      </Facts>
    </Card>
  );
}

/** Returns instructions with their labels, `1` or within another one `1.1`, and their places from 0. */
function numbered(instructions: readonly NodeInstruction[], of = '') {
  return instructions.map((instruction, at) => ({ label: `${of === '' ? '' : `${of}.`}${at + 1}`, at, instruction }));
}

function Inner({ instructions, of }: { instructions: readonly NodeInstruction[]; of: string }) {
  if (instructions.length === 0) return null;
  return (
    <ol className="mt-2 flex flex-col gap-3 border-line border-l pl-4">
      {numbered(instructions, of).map(({ label, instruction }) => (
        <li key={label}>
          <Instruction label={label} instruction={instruction} />
        </li>
      ))}
    </ol>
  );
}

/** Shows program and parts of an instruction; where the node does not know the program, its accounts and data. */
function Instruction({ label, instruction }: { label: string; instruction: NodeInstruction }) {
  const { programId, parsed, accounts = [], data } = instruction;
  const known = typeof parsed === 'object' ? parsed : null;
  return (
    <div className="min-w-0 text-sm">
      <p className="flex flex-wrap items-baseline gap-x-2">
        <span className="text-muted tabular-nums">{label}</span>
        <AddressLink address={programId} />
        {known !== null && <span className="font-medium">{known.type}</span>}
      </p>
      <dl className="mt-1 grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-0.5 text-xs">
        {known !== null &&
          Object.entries(known.info).map(([name, value]) => <Part key={name} name={name} value={value} />)}
        {typeof parsed === 'string' && <Part name="text" value={parsed} />}
        {known === null && accounts.length > 0 && (
          <>
            <dt className="text-muted">accounts</dt>
            <dd className="flex min-w-0 flex-wrap gap-x-2 gap-y-0.5">
              {[...new Set(accounts)].map((account) => (
                <AddressLink key={account} address={account} />
              ))}
            </dd>
          </>
        )}
        {known === null && data !== undefined && <Part name="data" value={data} />}
      </dl>
    </div>
  );
}

const ADDRESS = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;

function Part({ name, value }: { name: string; value: unknown }) {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0">
        {ADDRESS.test(text) && name !== 'data' ? (
          <AddressLink address={text} full />
        ) : (
          <code className="break-all">{text}</code>
        )}
      </dd>
    </>
  );
}

interface SolRow {
  address: string;
  before: number;
  after: number;
}

function solRows({ transaction, meta }: NodeTransaction): SolRow[] {
  return transaction.message.accountKeys.map(({ pubkey }, at) => ({
    address: pubkey,
    before: meta.preBalances[at] ?? 0,
    after: meta.postBalances[at] ?? 0,
  }));
}

const solColumns: readonly DataColumn<SolRow>[] = [
  {
    id: 'account',
    label: 'Account',
    rowHeader: true,
    cell: ({ address }) => (
      <span className="font-normal">
        <AddressLink address={address} />
      </span>
    ),
  },
  { id: 'before', label: 'Before', align: 'right', cell: ({ before }) => solText(before) },
  { id: 'after', label: 'After', align: 'right', cell: ({ after }) => solText(after) },
  {
    id: 'change',
    label: 'Change',
    align: 'right',
    cell: ({ before, after }) => <Change units={BigInt(after) - BigInt(before)} decimals={9} />,
  },
];

interface TokenRow {
  account: string;
  owner: string | null;
  mint: string;
  decimals: number;
  before: bigint;
  after: bigint;
}

/** Returns the token accounts of a transaction; one that did not exist before or after holds 0 then. */
function tokenRows({ transaction, meta }: NodeTransaction): TokenRow[] {
  const rows = new Map<number, TokenRow>();
  for (const when of ['before', 'after'] as const) {
    const balances = when === 'before' ? meta.preTokenBalances : meta.postTokenBalances;
    for (const { accountIndex, mint, owner = null, uiTokenAmount } of balances ?? []) {
      const account = transaction.message.accountKeys[accountIndex]?.pubkey ?? String(accountIndex);
      const { decimals, amount } = uiTokenAmount;
      const row = rows.get(accountIndex) ?? { account, owner, mint, decimals, before: 0n, after: 0n };
      rows.set(accountIndex, { ...row, [when]: BigInt(amount) });
    }
  }
  return [...rows.values()];
}

const tokenColumns: readonly DataColumn<TokenRow>[] = [
  {
    id: 'owner',
    label: 'Owner',
    rowHeader: true,
    cell: ({ owner, account }) => (
      <span className="font-normal">
        <AddressLink address={owner ?? account} />
      </span>
    ),
  },
  { id: 'mint', label: 'Token', cell: ({ mint }) => <AddressLink address={mint} /> },
  { id: 'before', label: 'Before', align: 'right', cell: ({ before, decimals }) => unitsText(before, decimals) },
  { id: 'after', label: 'After', align: 'right', cell: ({ after, decimals }) => unitsText(after, decimals) },
  {
    id: 'change',
    label: 'Change',
    align: 'right',
    cell: ({ before, after, decimals }) => <Change units={after - before} decimals={decimals} />,
  },
];

function Change({ units, decimals }: { units: bigint; decimals: number }) {
  if (units === 0n) return <span className="text-muted">0</span>;
  return <span className={units > 0n ? 'text-up' : 'text-down'}>{changeText(units, decimals)}</span>;
}
