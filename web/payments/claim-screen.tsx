import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { CircleCheck, Clock3, LinkIcon, Undo2 } from 'lucide-react'
import type { CSSProperties } from 'react'
import { useLocation } from 'react-router'
import { Refusal } from '#contract/errors.ts'
import { money } from '#web/i18n/formats.ts'
import type { Claim } from '#contract/payments.ts'
import { errorText } from '#web/i18n/error-text.ts'
import { acceptClaim, claimQuery } from '#web/payments/queries.ts'
import { dateAndTime } from '#web/i18n/dates.ts'
import { useRedirect } from '#web/lib/timeout.ts'
import { paths } from '#web/lib/paths.ts'
import { useSubmission } from '#web/lib/submission.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { Money } from '#web/ui/money.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Rings } from '#web/ui/rings.tsx'
import { Card, Screen } from '#web/ui/screen.tsx'
import { Loading, Skeleton } from '#web/ui/skeleton.tsx'

/** Shows the money of a claim link, which was sent to an address without a customer. Its sender cannot accept it. */
export function ClaimScreen() {
  const { t } = useLingui()
  const { search } = useLocation()
  const token = new URLSearchParams(search).get('token')
  return (
    <Screen title={t`Money for You`} back={paths.dashboard} className="justify-center">
      {token ? <Open token={token} /> : <Invalid />}
    </Screen>
  )
}

function ToDashboard() {
  return (
    <ButtonLink to={paths.dashboard}>
      <Trans>Go to Home</Trans>
    </ButtonLink>
  )
}

function Invalid() {
  return (
    <EmptyState icon={LinkIcon} title={errorText('claim_not_found')} action={<ToDashboard />}>
      <Trans>Ask the person who sent it to share the link again.</Trans>
    </EmptyState>
  )
}

function Open({ token }: { token: string }) {
  const { data, error, refetch } = useQuery(claimQuery(token))
  const { t } = useLingui()
  const acceptance = useAcceptance(token)
  if (data?.status === 'open' || (data && acceptance.done)) return <Offer claim={data} acceptance={acceptance} />
  if (data) return <Closed claim={data} />
  if (error instanceof Refusal && error.code === 'claim_not_found') return <Invalid />
  if (error) return <LoadFailure error={error} refetch={refetch} />
  return (
    <div className="flex flex-col items-center gap-3">
      <Loading label={t`Loading the payment`} />
      <Skeleton className="h-5 w-48" />
      <Skeleton className="h-14 w-56" />
      <Skeleton round className="mt-4 h-13 w-full" />
    </div>
  )
}

function Closed({ claim }: { claim: Claim }) {
  const { t } = useLingui()
  const isClaimed = claim.status === 'claimed'
  const { senderName } = claim
  const amount = <Money amountMinor={claim.amountMinor} asset={claim.asset} />
  return (
    <EmptyState
      icon={isClaimed ? CircleCheck : Undo2}
      title={isClaimed ? t`This money has been accepted` : t`This money was returned`}
      action={<ToDashboard />}
    >
      {isClaimed ? (
        <Trans comment="{amount} is money that the recipient has already accepted">
          {amount} from {senderName} has already been accepted.
        </Trans>
      ) : (
        <Trans comment="{amount} is money that has gone back to its sender">
          {amount} from {senderName} can no longer be accepted.
        </Trans>
      )}
    </EmptyState>
  )
}

/**
 * Returns a function that accepts the money and opens the dashboard a moment later. `Open` uses the hook, so that the offer
 * stays visible after the success.
 */
function useAcceptance(token: string) {
  const { t } = useLingui()
  const redirect = useRedirect()
  const { submit, busy, done } = useSubmission({
    send: (_claim: Claim, key) => acceptClaim(token, key),
    loading: ({ amountMinor, asset }) => {
      const amount = money(amountMinor, asset)
      return t`Accepting ${amount}…`
    },
    success: (_answer, { amountMinor, asset, senderName }) => {
      const amount = money(amountMinor, asset)
      return { message: t`${amount} from ${senderName} is in your account` }
    },
    outcome: ({ amountMinor, asset, senderName }) => {
      const amount = money(amountMinor, asset)
      return {
        sent: t`${amount} from ${senderName} is in your account`,
        notSent: t`Canceled. You haven't accepted it`,
      }
    },
  })
  async function accept(claim: Claim): Promise<void> {
    if (await submit(claim)) redirect(paths.dashboard)
  }
  return { accept, busy, done }
}

function Offer({ claim, acceptance }: { claim: Claim; acceptance: ReturnType<typeof useAcceptance> }) {
  const { accept, busy, done } = acceptance
  const expiry = dateAndTime(claim.expiresAt)
  const amount = money(claim.amountMinor, claim.asset)
  return (
    <Card className="relative isolate px-5 py-9 text-center">
      <Rings className="absolute -start-28 -top-32 -z-10 size-80 text-primary opacity-15" />
      <Sentence claim={claim} />
      {claim.note && <p className="mx-auto mt-3 w-fit rounded-control bg-muted px-4 py-2.5">{claim.note}</p>}
      {claim.own ? (
        <p className="mt-7 rounded-control bg-muted px-4 py-3 text-pretty">
          <Trans>You sent this. Anyone with the link can accept it.</Trans>
        </p>
      ) : (
        <Button className="mt-7 w-full" busy={busy} done={done} onClick={() => void accept(claim)}>
          <Trans>Accept {amount}</Trans>
        </Button>
      )}
      <p className="mt-3.5 inline-flex items-center gap-1.5 text-sm text-ink-soft">
        <Clock3 aria-hidden className="size-4" strokeWidth={2} />
        {claim.own ? (
          <Trans comment="The subject is money sent to another person. {expiry} is a date with a time">
            Can be accepted until {expiry}
          </Trans>
        ) : (
          <Trans comment="The subject is money sent to the reader. {expiry} is a date with a time">
            Yours to accept until {expiry}
          </Trans>
        )}
      </p>
    </Card>
  )
}

/** States the sender, with the amount in large figures below. */
function Sentence({ claim }: { claim: Claim }) {
  const { own, senderName } = claim
  const amount = <LargeAmount claim={claim} />
  return own ? (
    <Trans comment="The amount is on a separate line, in large figures">
      <p className="text-pretty text-ink-soft">You sent</p>
      {amount}
    </Trans>
  ) : (
    <Trans comment="The amount is on a separate line, in large figures">
      <p className="text-pretty text-ink-soft">
        <strong className="font-semibold text-ink">{senderName}</strong> sent you
      </p>
      {amount}
    </Trans>
  )
}

function LargeAmount({ claim }: { claim: Claim }) {
  const chars = money(claim.amountMinor, claim.asset).length
  return (
    <p className="fit-line mt-1" style={{ '--chars': chars, '--fit-max': '3.25rem' } as CSSProperties}>
      <Money
        amountMinor={claim.amountMinor}
        asset={claim.asset}
        className="block leading-tight font-semibold tracking-[-0.03em]"
      />
    </p>
  )
}
