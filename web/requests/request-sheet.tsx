import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Clock3 } from 'lucide-react'
import type { MoneyRequest, RequestDetail } from '#contract/requests.ts'
import { dateAndTime } from '#web/i18n/dates.ts'
import { outstandingMinor, requestsQuery } from '#web/lib/money-requests.ts'
import { requestQuery } from '#web/requests/queries.ts'
import { RequestActions } from '#web/requests/request-actions.tsx'
import { RequestHistory } from '#web/requests/request-history.tsx'
import { RequestStatusBadge } from '#web/requests/request-status.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { FitMoney, Money } from '#web/ui/money.tsx'
import { Progress } from '#web/ui/progress.tsx'
import { Sheet } from '#web/ui/sheet.tsx'
import { Loading, Skeleton } from '#web/ui/skeleton.tsx'

/** Shows a request, its actions and its history. */
export function RequestSheet({ id, onClose }: { id: string; onClose: () => void }) {
  const { t } = useLingui()
  const list = useQuery(requestsQuery).data
  const { data, error, isFetching, refetch } = useQuery(requestQuery(id))
  const listedRequest = [...(list?.received ?? []), ...(list?.sent ?? [])].find((request) => request.id === id)
  const request = data?.request ?? listedRequest
  return (
    <Sheet
      open
      addressed
      onOpenChange={(open) => !open && onClose()}
      title={request ? titleOf(request) : t({ message: 'Request', context: 'money' })}
      description={t`The details and history of the request`}
    >
      {request && <Request request={request} history={data?.history ?? null} onClose={onClose} />}
      {!request && error && <LoadFailure error={error} refetch={refetch} isFetching={isFetching} />}
      {!request && !error && (
        <div className="flex flex-col items-center gap-3 py-4">
          <Loading label={t`Loading the request`} />
          <Skeleton className="h-12 w-48" />
          <Skeleton className="h-5 w-32" />
          <Skeleton round className="mt-4 h-13 w-full" />
        </div>
      )}
    </Sheet>
  )

  function titleOf({ side, name }: MoneyRequest): string {
    if (name === null) return t`Link for anyone`
    return side === 'payer' ? t`Request from ${name}` : t`Request to ${name}`
  }
}

type RequestProps = { request: MoneyRequest; history: RequestDetail['history'] | null; onClose: () => void }

function Request({ request, history, onClose }: RequestProps) {
  const { note, status, asset, amountMinor, expiresAt } = request
  const isOpen = status === 'open'
  const expiry = dateAndTime(expiresAt)
  return (
    <div className="flex flex-col gap-5">
      <div className="flex flex-col items-center gap-2.5 text-center">
        <FitMoney
          amountMinor={amountMinor}
          asset={asset}
          most="2.75rem"
          className="w-full leading-tight font-semibold tracking-[-0.03em]"
        />
        {!isOpen && <RequestStatusBadge status={status} className="!text-sm" />}
        {note && (
          <p dir="auto" className="w-fit rounded-control bg-muted px-4 py-2.5 [overflow-wrap:anywhere]">
            {note}
          </p>
        )}
        {isOpen && (
          <p className="inline-flex items-center gap-1.5 text-sm text-ink-soft">
            <Clock3 aria-hidden className="size-4 shrink-0" strokeWidth={2} />
            <Trans comment="A request for money; {expiry} is a date with a time">Can be paid until {expiry}</Trans>
          </p>
        )}
      </div>
      <PaidSoFar request={request} />
      {isOpen && <RequestActions request={request} onClose={onClose} />}
      <RequestHistory history={history} asset={asset} />
    </div>
  )
}

/** Shows how much of a request is paid. Shows nothing if no part or the whole amount is paid. */
function PaidSoFar({ request }: { request: MoneyRequest }) {
  const { t } = useLingui()
  const { amountMinor, paidMinor, asset, status } = request
  if (paidMinor === 0 || status === 'paid') return null
  const [paid, left] = [
    <Money key="paid" amountMinor={paidMinor} asset={asset} className="font-medium text-ink" />,
    <Money key="left" amountMinor={outstandingMinor(request)} asset={asset} className="font-medium text-ink" />,
  ]
  return (
    <div>
      <Progress label={t`Paid So Far`} percent={(paidMinor / amountMinor) * 100} />
      <p className="mt-2 flex flex-wrap justify-between gap-x-3 text-sm text-ink-soft">
        <span>
          <Trans comment="The paid part of a money request. Example: $15.00 paid">{paid} paid</Trans>
        </span>
        {status === 'open' && (
          <span>
            <Trans comment="The unpaid part of a money request. Example: $25.00 left">{left} left</Trans>
          </span>
        )}
      </p>
    </div>
  )
}
