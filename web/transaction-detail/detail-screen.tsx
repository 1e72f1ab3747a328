import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Copy, FileQuestion } from 'lucide-react'
import type { CSSProperties } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { Transaction, TransactionDetail } from '#contract/accounts.ts'
import { Refusal } from '#contract/errors.ts'
import { money } from '#web/i18n/formats.ts'
import { errorText } from '#web/i18n/error-text.ts'
import { methodText, nameText, transactionStatusText } from '#web/i18n/words.ts'
import { TransactionIcon } from '#web/accounts/shared/transaction-icon.tsx'
import { transactionIdIn, searchWithoutId } from '#web/accounts/shared/transaction-address.ts'
import { transactionQuery, useListedTransaction } from '#web/accounts/queries.ts'
import { Actions, type LazyParts } from '#web/transaction-detail/actions.tsx'
import { CategoryValue } from '#web/transaction-detail/category-value.tsx'
import { HoldDetails } from '#web/transaction-detail/hold-details.tsx'
import { DetailRow } from '#web/transaction-detail/detail-row.tsx'
import { StatusBadge } from '#web/accounts/shared/status-badge.tsx'
import { dateAndTime } from '#web/i18n/dates.ts'
import { DisputeStatus } from '#web/disputes/shared/report-problem.tsx'
import { useLazy } from '#web/lib/lazy.ts'
import { paths } from '#web/lib/paths.ts'
import { copyText } from '#web/lib/share.ts'
import { IncomingTransfer } from '#web/transaction-detail/incoming-transfer.tsx'
import { PendingClaim } from '#web/transaction-detail/pending-claim.tsx'
import { Button } from '#web/ui/button.tsx'
import { cx } from '#web/ui/cx.ts'
import { EmailText } from '#web/ui/email-text.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Money } from '#web/ui/money.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Card, Screen } from '#web/ui/screen.tsx'
import { Loading, Skeleton } from '#web/ui/skeleton.tsx'

/**
 * Returns the transaction that the previous screen put into the navigation state, or null. The browser's history stores the
 * state, so it survives a reload.
 */
function transactionInState(state: unknown): Transaction | null {
  const { transaction } = (state ?? {}) as { transaction?: Transaction }
  return typeof transaction?.id === 'string' ? transaction : null
}

/**
 * Shows the transaction whose id is in the address, so that links to a transaction work. If the navigation state contains the
 * transaction, it is shown at once.
 */
export function DetailScreen() {
  const location = useLocation()
  const id = transactionIdIn(location)
  return id === null ? <Missing /> : <Detail key={id} id={id} passed={transactionInState(location.state)} />
}

function Missing() {
  const { t } = useLingui()
  const navigate = useNavigate()
  return (
    <Screen title={t`Transaction Details`} back={paths.transactions} className="justify-center">
      <EmptyState
        icon={FileQuestion}
        title={errorText('transaction_not_found')}
        action={
          <Button onClick={() => void navigate(paths.transactions, { replace: true })}>
            <Trans>Back to Transactions</Trans>
          </Button>
        }
      >
        <Trans comment={'"It" is a transaction that was not found'}>
          It may have been removed, or the link is incomplete.
        </Trans>
      </EmptyState>
    </Screen>
  )
}

/** Empty values for the fields that a transaction has only in the bank's full answer, and not in lists. */
const UNLOADED_FIELDS = {
  claim: null,
  settlesAt: null,
  heldUntil: null,
  countsAs: null,
  privateNote: null,
  photo: null,
  monthInCategory: null,
} as const satisfies Partial<TransactionDetail>

/**
 * Shows the transaction from a loaded list or from the previous screen until the bank's current data has loaded. `passed` is
 * the transaction from the previous screen; null if that screen passed none.
 */
function Detail({ id, passed }: { id: string; passed: Transaction | null }) {
  const { t } = useLingui()
  const { search } = useLocation()
  const preview = useListedTransaction(id) ?? (passed?.id === id ? passed : null)
  const { data, error, refetch } = useQuery(transactionQuery(id))
  if (error instanceof Refusal && error.code === 'transaction_not_found') return <Missing />
  const transaction: TransactionDetail | null = data ?? (preview && { ...preview, ...UNLOADED_FIELDS })
  return (
    <Screen title={t`Transaction Details`} back={paths.transactions + searchWithoutId(search)}>
      {transaction && <TransactionView transaction={transaction} isCurrent={data !== undefined} />}
      {!transaction && error && <LoadFailure error={error} refetch={refetch} />}
      {!transaction && !error && <DetailSkeleton />}
    </Screen>
  )
}

/** Returns whether money is held for a card payment or an order. Claims and payouts have notices of their own. */
const isHeld = ({ status, amountMinor, category, claim }: TransactionDetail): boolean =>
  status === 'pending' && amountMinor < 0 && category !== 'payout' && claim === null

const loadLazyParts = () => import('#web/transaction-detail/lazy-parts.tsx')

/**
 * `isCurrent` is true once the bank's current data has loaded. Until then, the data comes from a list. The notices that need
 * fields that lists do not contain are left out.
 */
function TransactionView({ transaction, isCurrent }: { transaction: TransactionDetail; isCurrent: boolean }) {
  const lazyParts = useLazy(loadLazyParts, true)
  return (
    <>
      <Summary transaction={transaction} />
      {transaction.claim && <PendingClaim transaction={transaction} claim={transaction.claim} />}
      {isCurrent &&
        transaction.status === 'pending' &&
        (transaction.amountMinor > 0 || transaction.category === 'payout') && (
          <IncomingTransfer settlesAt={transaction.settlesAt} leaves={transaction.amountMinor < 0} />
        )}
      {isCurrent && isHeld(transaction) && <HoldDetails transaction={transaction} />}
      <Actions transaction={transaction} more={lazyParts} />
      <DisputeStatus transaction={transaction} />
      <Rows transaction={transaction} more={lazyParts} />
      {isCurrent && lazyParts && <lazyParts.JustForYou transaction={transaction} />}
      {isCurrent && lazyParts && <lazyParts.SmartTip transaction={transaction} />}
    </>
  )
}

function DetailSkeleton() {
  const { t } = useLingui()
  return (
    <>
      <Loading label={t`Loading the transaction`} />
      <div aria-hidden className="flex flex-col items-center gap-3 pt-3">
        <Skeleton round className="size-16" />
        <Skeleton className="h-5 w-40" />
        <Skeleton className="h-9 w-32" />
      </div>
      <Card className="divide-y divide-line">
        {Array.from({ length: 6 }, (_, index) => (
          <div key={index} aria-hidden className="flex min-h-13 items-center justify-between gap-4 px-4">
            <Skeleton className="h-4 w-24" />
            <Skeleton className="h-4 w-32" />
          </div>
        ))}
      </Card>
    </>
  )
}

function Summary({ transaction }: { transaction: Transaction }) {
  const { t } = useLingui()
  const isIncoming = transaction.amountMinor > 0
  const chars = money(transaction.amountMinor, transaction.asset, { sign: 'always' }).length
  return (
    <section aria-label={t`Summary`} className="flex flex-col items-center px-2 pt-3 text-center">
      <span
        className={cx(
          'rounded-full',
          transaction.status === 'pending' && 'outline-2 outline-offset-4 outline-dashed outline-warning/60',
        )}
      >
        <TransactionIcon transaction={transaction} size="hero" />
      </span>
      <p className="mt-3.5 max-w-full text-lg font-medium text-pretty">
        <EmailText email={nameText(transaction.name)} />
      </p>
      <p className="fit-line w-full" style={{ '--chars': chars, '--fit-max': '2.5rem' } as CSSProperties}>
        <Money
          amountMinor={transaction.amountMinor}
          asset={transaction.asset}
          sign="always"
          className={cx(
            'block leading-tight font-semibold tracking-[-0.025em]',
            isIncoming && transaction.status === 'completed' && 'text-success',
            transaction.status === 'pending' && 'text-ink-soft',
            transaction.status === 'returned' && 'text-ink-soft line-through',
          )}
        />
      </p>
      <StatusBadge status={transaction.status} className="mt-2" />
    </section>
  )
}

/** `more` contains the parts that load after the screen. It is null until they have loaded. */
function Rows({ transaction, more }: { transaction: TransactionDetail; more: LazyParts | null }) {
  const { t } = useLingui()
  return (
    <Card>
      <dl className="divide-y divide-line">
        <DetailRow label={t`Transaction ID`}>
          <span className="min-w-0 [overflow-wrap:anywhere]">{transaction.transactionId}</span>
          <CopyId id={transaction.transactionId} label={t`Copy Transaction ID`} message={t`Transaction ID copied`} />
        </DetailRow>
        <DetailRow label={t`Date & Time`}>{dateAndTime(transaction.bookedAt)}</DetailRow>
        <DetailRow label={t`Category`}>
          <CategoryValue transaction={transaction} />
        </DetailRow>
        {more && <more.RecurringRow transaction={transaction} />}
        <DetailRow label={t`Payment Method`}>{methodText(transaction.paymentMethod)}</DetailRow>
        <DetailRow label={t`Status`}>{transactionStatusText(transaction.status)}</DetailRow>
        <DetailRow label={t`Reference`}>
          <span className="min-w-0 [overflow-wrap:anywhere]">{transaction.reference}</span>
          <CopyId id={transaction.reference} label={t`Copy Reference`} message={t`Reference copied`} />
        </DetailRow>
        {transaction.note && <DetailRow label={t`Note`}>{transaction.note}</DetailRow>}
        {transaction.balanceAfterMinor !== null && (
          <DetailRow label={t`Balance After`}>
            <Money amountMinor={transaction.balanceAfterMinor} asset={transaction.asset} />
          </DetailRow>
        )}
      </dl>
    </Card>
  )
}

/** `message` is shown after copying. */
function CopyId({ id, label, message }: { id: string; label: string; message: string }) {
  return (
    <IconButton
      icon={Copy}
      label={label}
      className="-my-2 -me-3 [&_svg]:!size-4 !text-ink-soft"
      onClick={() => void copyText(id, message)}
    />
  )
}
