import { useQuery } from '@tanstack/react-query'
import { CircleCheck, Clock3, LinkIcon, Undo2 } from 'lucide-react'
import type { CSSProperties } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { Refusal } from '#contract/errors.ts'
import { money } from '#web/i18n/formats.ts'
import type { Claim } from '#contract/payments.ts'
import { errorText } from '#web/i18n/words.ts'
import { acceptClaim, claimQuery } from '#web/payments/queries.ts'
import { messageOf } from '#web/lib/api.ts'
import { dateAndTime } from '#web/i18n/dates.ts'
import { useTimeout } from '#web/lib/timeout.ts'
import { paths } from '#web/lib/paths.ts'
import { useSubmission } from '#web/lib/submission.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Failure } from '#web/ui/failure.tsx'
import { Money } from '#web/ui/money.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Rings } from '#web/ui/rings.tsx'
import { Card, Screen } from '#web/ui/screen.tsx'
import { Loading, Skeleton } from '#web/ui/skeleton.tsx'

const REDIRECT_AFTER_MS = 1500

/** Where a claim link leads: someone sent money to this person before they were a customer. */
export function ClaimScreen() {
  const { search } = useLocation()
  const token = new URLSearchParams(search).get('token')
  return (
    <Screen title="Money for You" back={paths.dashboard} className="justify-center">
      {token ? <Open token={token} /> : <Invalid />}
    </Screen>
  )
}

const toDashboard = <ButtonLink to={paths.dashboard}>Go to the dashboard</ButtonLink>

function Invalid() {
  return (
    <Notice icon={LinkIcon} title={errorText('claim_not_found')} action={toDashboard}>
      Ask whoever sent it to share the link again.
    </Notice>
  )
}

function Open({ token }: { token: string }) {
  const { data, error, refetch } = useQuery(claimQuery(token))
  const acceptance = useAcceptance(token)
  if (data?.status === 'open' || (data && acceptance.done)) return <Offer claim={data} acceptance={acceptance} />
  if (data) return <Closed claim={data} />
  if (error instanceof Refusal && error.status === 404) return <Invalid />
  if (error) return <Failure message={messageOf(error)} onRetry={() => void refetch()} />
  return (
    <div className="flex flex-col items-center gap-3">
      <Loading label="Loading the payment" />
      <Skeleton className="h-5 w-48" />
      <Skeleton className="h-14 w-56" />
      <Skeleton round className="mt-4 h-13 w-full" />
    </div>
  )
}

function Closed({ claim }: { claim: Claim }) {
  const claimed = claim.status === 'claimed'
  return (
    <Notice
      icon={claimed ? CircleCheck : Undo2}
      title={claimed ? 'This money was accepted' : 'This money went back'}
      action={toDashboard}
    >
      <Money amountMinor={claim.amountMinor} asset={claim.asset} /> from {claim.senderName}
      {claimed ? ' has found its account.' : ' is no longer waiting.'}
    </Notice>
  )
}

/** Accepting, and going to the dashboard a moment later. It outlives the offer, which ends with it. */
function useAcceptance(token: string) {
  const navigate = useNavigate()
  const schedule = useTimeout()
  const { submit, busy, done } = useSubmission({
    send: (_claim: Claim, key) => acceptClaim(token, key),
    loading: ({ amountMinor, asset }) => `Accepting ${money(amountMinor, asset)}…`,
    success: (_answer, { amountMinor, asset, senderName }) => ({
      message: `${money(amountMinor, asset)} from ${senderName} is in your account`,
    }),
  })
  async function accept(claim: Claim): Promise<void> {
    if (await submit(claim)) schedule(() => void navigate(paths.dashboard), REDIRECT_AFTER_MS)
  }
  return { accept, busy, done }
}

function Offer({ claim, acceptance }: { claim: Claim; acceptance: ReturnType<typeof useAcceptance> }) {
  const { accept, busy, done } = acceptance
  const amount = money(claim.amountMinor, claim.asset)
  return (
    <Card className="relative isolate px-5 py-9 text-center">
      <Rings className="absolute -start-28 -top-32 -z-10 size-80 text-primary opacity-15" />
      <p className="text-pretty text-ink-soft">
        {claim.own ? (
          'You sent'
        ) : (
          <>
            <strong className="font-semibold text-ink">{claim.senderName}</strong> sent you
          </>
        )}
      </p>
      <p className="fit-line mt-1" style={{ '--chars': amount.length, '--fit-max': '3.25rem' } as CSSProperties}>
        <Money
          amountMinor={claim.amountMinor}
          asset={claim.asset}
          className="block leading-tight font-semibold tracking-[-0.03em]"
        />
      </p>
      {claim.note && <p className="mx-auto mt-3 w-fit rounded-control bg-muted px-4 py-2.5">{claim.note}</p>}
      {claim.own ? (
        <p className="mt-7 rounded-control bg-muted px-4 py-3 text-pretty">
          You sent this. Whoever you give the link to can accept it.
        </p>
      ) : (
        <Button className="mt-7 w-full" busy={busy} disabled={done} onClick={() => void accept(claim)}>
          Accept {amount}
        </Button>
      )}
      <p className="mt-3.5 inline-flex items-center gap-1.5 text-sm text-ink-soft">
        <Clock3 aria-hidden className="size-4" strokeWidth={2} />
        {claim.own ? 'Waits' : 'Waits for you'} until {dateAndTime(claim.expiresAt)}
      </p>
    </Card>
  )
}
