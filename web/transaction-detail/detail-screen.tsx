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
import { chosenId, searchWithoutId } from '#web/accounts/shared/chosen.ts'
import { transactionQuery, useListedTransaction } from '#web/accounts/queries.ts'
import { Actions, type More } from '#web/transaction-detail/actions.tsx'
import { CategoryValue } from '#web/transaction-detail/category-value.tsx'
import { Held } from '#web/transaction-detail/held.tsx'
import { DetailRow } from '#web/transaction-detail/detail-row.tsx'
import { StatusBadge } from '#web/accounts/shared/status-badge.tsx'
import { dateAndTime } from '#web/i18n/dates.ts'
import { DisputeStatus } from '#web/disputes/shared/report-problem.tsx'
import { useOnDemand } from '#web/lib/on-demand.ts'
import { paths } from '#web/lib/paths.ts'
import { copy } from '#web/lib/share.ts'
import { OnItsWay } from '#web/transaction-detail/on-its-way.tsx'
import { PendingClaim } from '#web/transaction-detail/pending-claim.tsx'
import { Button } from '#web/ui/button.tsx'
import { cx } from '#web/ui/cx.ts'
import { EmailText } from '#web/ui/email-text.tsx'
import { Failure } from '#web/ui/failure.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Money } from '#web/ui/money.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Card, Screen } from '#web/ui/screen.tsx'
import { Loading, Skeleton } from '#web/ui/skeleton.tsx'

/** The transaction that the last screen handed over; it is kept with the history entry, so a reload keeps it too. */
function handedOver(state: unknown): Transaction | null {
  const { transaction } = (state ?? {}) as { transaction?: Transaction }
  return typeof transaction?.id === 'string' ? transaction : null
}

/** The address names the transaction, so that a link to it opens anywhere; what was handed over is there at once. */
export function DetailScreen() {
  const location = useLocation()
  const id = chosenId(location)
  return id === null ? <Missing /> : <Detail key={id} id={id} handed={handedOver(location.state)} />
}

function Missing() {
  const { t } = useLingui()
  const navigate = useNavigate()
  return (
    <Screen title={t`Transaction Details`} back={paths.transactions} className="justify-center">
      <Notice
        icon={FileQuestion}
        title={errorText('transaction_not_found')}
        action={
          <Button onClick={() => void navigate(paths.transactions, { replace: true })}>
            <Trans>Back to Transactions</Trans>
          </Button>
        }
      >
        <Trans comment="A transaction that is not found">It may have been removed, or the link is incomplete.</Trans>
      </Notice>
    </Screen>
  )
}

/** What no list says of a transaction. */
const UNTOLD = {
  claim: null,
  settlesAt: null,
  heldUntil: null,
  countsAs: null,
  privateNote: null,
  photo: null,
  monthInCategory: null,
} as const satisfies Partial<TransactionDetail>

/** Shows what is known of it at once, and the bank's current data as soon as it has loaded. */
function Detail({ id, handed }: { id: string; handed: Transaction | null }) {
  const { t } = useLingui()
  const { search } = useLocation()
  const known = useListedTransaction(id) ?? (handed?.id === id ? handed : null)
  const { data, error, refetch } = useQuery(transactionQuery(id))
  if (error instanceof Refusal && error.code === 'transaction_not_found') return <Missing />
  const shown: TransactionDetail | null = data ?? (known && { ...known, ...UNTOLD })
  return (
    <Screen title={t`Transaction Details`} back={paths.transactions + searchWithoutId(search)}>
      {shown && <Shown shown={shown} isCurrent={data !== undefined} />}
      {!shown && error && <Failure error={error} refetch={refetch} />}
      {!shown && !error && <DetailSkeleton />}
    </Screen>
  )
}

/** Put aside for a shop or an order; what waits for somebody, or is on its way to another bank, says so by itself. */
const isHeld = ({ status, amountMinor, category, claim }: TransactionDetail): boolean =>
  status === 'pending' && amountMinor < 0 && category !== 'payout' && claim === null

const loadMore = () => import('#web/transaction-detail/more.tsx')

/** `isCurrent`: the bank has just said so; until then it is as a list had it. */
function Shown({ shown, isCurrent }: { shown: TransactionDetail; isCurrent: boolean }) {
  const more = useOnDemand(loadMore, true)
  return (
    <>
      <Summary shown={shown} />
      {shown.claim && <PendingClaim transaction={shown} claim={shown.claim} />}
      {isCurrent && shown.status === 'pending' && (shown.amountMinor > 0 || shown.category === 'payout') && (
        <OnItsWay settlesAt={shown.settlesAt} leaves={shown.amountMinor < 0} />
      )}
      {isCurrent && isHeld(shown) && <Held shown={shown} />}
      <Actions shown={shown} more={more} />
      <DisputeStatus shown={shown} />
      <Rows shown={shown} more={more} />
      {isCurrent && more && <more.JustForYou shown={shown} />}
      {isCurrent && more && <more.SmartTip shown={shown} />}
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

function Summary({ shown }: { shown: Transaction }) {
  const { t } = useLingui()
  const incoming = shown.amountMinor > 0
  const chars = money(shown.amountMinor, shown.asset, { sign: 'always' }).length
  return (
    <section aria-label={t`Summary`} className="flex flex-col items-center px-2 pt-3 text-center">
      <span
        className={cx(
          'rounded-full',
          shown.status === 'pending' && 'outline-2 outline-offset-4 outline-dashed outline-warning/60',
        )}
      >
        <TransactionIcon transaction={shown} size="hero" />
      </span>
      <p className="mt-3.5 max-w-full text-lg font-medium text-pretty">
        <EmailText email={nameText(shown.name)} />
      </p>
      <p className="fit-line w-full" style={{ '--chars': chars, '--fit-max': '2.5rem' } as CSSProperties}>
        <Money
          amountMinor={shown.amountMinor}
          asset={shown.asset}
          sign="always"
          className={cx(
            'block leading-tight font-semibold tracking-[-0.025em]',
            incoming && shown.status === 'completed' && 'text-success',
            shown.status === 'pending' && 'text-ink-soft',
            shown.status === 'returned' && 'text-ink-soft line-through',
          )}
        />
      </p>
      <StatusBadge status={shown.status} className="mt-2" />
    </section>
  )
}

/** `more`: what comes later; null until then. */
function Rows({ shown, more }: { shown: TransactionDetail; more: More | null }) {
  const { t } = useLingui()
  return (
    <Card>
      <dl className="divide-y divide-line">
        <DetailRow label={t`Transaction ID`}>
          <span className="min-w-0 [overflow-wrap:anywhere]">{shown.transactionId}</span>
          <CopyId id={shown.transactionId} label={t`Copy Transaction ID`} message={t`Transaction ID copied`} />
        </DetailRow>
        <DetailRow label={t`Date & Time`}>{dateAndTime(shown.bookedAt)}</DetailRow>
        <DetailRow label={t`Category`}>
          <CategoryValue shown={shown} />
        </DetailRow>
        {more && <more.RecurringRow shown={shown} />}
        <DetailRow label={t`Payment Method`}>{methodText(shown.paymentMethod)}</DetailRow>
        <DetailRow label={t`Status`}>{transactionStatusText(shown.status)}</DetailRow>
        <DetailRow label={t`Reference`}>
          <span className="min-w-0 [overflow-wrap:anywhere]">{shown.reference}</span>
          <CopyId id={shown.reference} label={t`Copy Reference`} message={t`Reference copied`} />
        </DetailRow>
        {shown.note && <DetailRow label={t`Note`}>{shown.note}</DetailRow>}
        {shown.balanceAfterMinor !== null && (
          <DetailRow label={t`Balance After`}>
            <Money amountMinor={shown.balanceAfterMinor} asset={shown.asset} />
          </DetailRow>
        )}
      </dl>
    </Card>
  )
}

/** `message`: what is shown once it has been copied. */
function CopyId({ id, label, message }: { id: string; label: string; message: string }) {
  return (
    <IconButton
      icon={Copy}
      label={label}
      className="-my-2 -me-3 [&_svg]:!size-4 !text-ink-soft"
      onClick={() => void copy(id, message)}
    />
  )
}
