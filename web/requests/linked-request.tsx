import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Clock3, LinkIcon } from 'lucide-react'
import { Refusal } from '#contract/errors.ts'
import type { LinkedRequest as Linked } from '#contract/requests.ts'
import { dateAndTime } from '#web/i18n/dates.ts'
import { errorText } from '#web/i18n/error-text.ts'
import { outstandingMinor } from '#web/lib/money-requests.ts'
import { paths } from '#web/lib/paths.ts'
import { useRedirect } from '#web/lib/timeout.ts'
import { PayForm } from '#web/requests/pay-form.tsx'
import { linkedRequestQuery, payLinkedRequest } from '#web/requests/queries.ts'
import { RequestStatusBadge } from '#web/requests/request-status.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { FitMoney, Money } from '#web/ui/money.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Rings } from '#web/ui/rings.tsx'
import { Card } from '#web/ui/screen.tsx'
import { Loading, Skeleton } from '#web/ui/skeleton.tsx'

/** Shows the request of a link to the person who opened it. */
export function LinkedRequestView({ token }: { token: string }) {
  const { t } = useLingui()
  const { data, error, refetch } = useQuery(linkedRequestQuery(token))
  if (data) return <LoadedRequest token={token} request={data} />
  if (error instanceof Refusal && error.code === 'request_link_not_found') return <Invalid />
  if (error) return <LoadFailure error={error} refetch={refetch} />
  return (
    <div className="flex flex-col items-center gap-3 pt-9">
      <Loading label={t`Loading the request`} />
      <Skeleton className="h-5 w-48" />
      <Skeleton className="h-14 w-56" />
      <Skeleton round className="mt-4 h-13 w-full" />
    </div>
  )
}

function Invalid() {
  return (
    <EmptyState
      icon={LinkIcon}
      title={errorText('request_link_not_found')}
      action={
        <ButtonLink to={paths.dashboard}>
          <Trans>Go to Home</Trans>
        </ButtonLink>
      }
    >
      <Trans>Ask the person who sent it to share the link again.</Trans>
    </EmptyState>
  )
}

function LoadedRequest({ token, request }: { token: string; request: Linked }) {
  const redirect = useRedirect()
  const { own, note, status, asset, requesterName } = request
  const leftMinor = outstandingMinor(request)
  const isOpen = status === 'open'
  const name = <bdi className="font-semibold text-ink">{requesterName}</bdi>
  return (
    <Card className="relative isolate px-5 py-9 text-center">
      <Rings className="absolute -start-28 -top-32 -z-10 size-80 text-primary opacity-15" />
      <p className="text-pretty text-ink-soft">
        {own ? (
          <Trans comment="An amount follows">You're asking anyone with this link for</Trans>
        ) : (
          <Trans comment="An amount follows">{name} requested</Trans>
        )}
      </p>
      <FitMoney
        amountMinor={isOpen ? leftMinor : request.amountMinor}
        asset={asset}
        most="3.25rem"
        className="mt-1 leading-tight font-semibold tracking-[-0.03em]"
      />
      <AmountLeft request={request} />
      {note && (
        <p dir="auto" className="mx-auto mt-3 w-fit rounded-control bg-muted px-4 py-2.5 [overflow-wrap:anywhere]">
          {note}
        </p>
      )}
      {!isOpen && <RequestStatusBadge status={status} className="mt-5 !text-sm" />}
      {isOpen && !own && (
        <div className="mt-7">
          <PayForm
            key={leftMinor}
            name={requesterName}
            leftMinor={leftMinor}
            asset={asset}
            send={(payment, key) => payLinkedRequest(token, payment, key)}
            onPaid={() => redirect(paths.dashboard)}
          />
        </div>
      )}
      {isOpen && <Until expiresAt={request.expiresAt} />}
    </Card>
  )
}

/** Shows how much of a request is paid. Shows nothing if no part or the whole amount is paid. */
function AmountLeft({ request: { amountMinor, paidMinor, asset, status } }: { request: Linked }) {
  if (paidMinor === 0 || status === 'paid') return null
  const [paid, whole] = [
    <Money key="paid" amountMinor={paidMinor} asset={asset} />,
    <Money key="whole" amountMinor={amountMinor} asset={asset} />,
  ]
  return (
    <p className="mt-1 text-sm text-ink-soft">
      <Trans comment="Example: $15.00 of $40.00 is paid">
        {paid} of {whole} is paid
      </Trans>
    </p>
  )
}

function Until({ expiresAt }: { expiresAt: string }) {
  const expiry = dateAndTime(expiresAt)
  return (
    <p className="mt-3.5 inline-flex items-center gap-1.5 text-sm text-ink-soft">
      <Clock3 aria-hidden className="size-4 shrink-0" strokeWidth={2} />
      <Trans comment="A request for money; {expiry} is a date with a time">Can be paid until {expiry}</Trans>
    </p>
  )
}
