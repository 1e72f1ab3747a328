import { Trans, useLingui } from '@lingui/react/macro'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Crown } from 'lucide-react'
import { useState } from 'react'
import type { Premium } from '#contract/rewards-api.ts'
import { useBusinessDay } from '#web/accounts/queries.ts'
import { shortDay } from '#web/i18n/dates.ts'
import { money } from '#web/i18n/formats.ts'
import { errorMessage } from '#web/lib/error-toast.ts'
import { useSubmission } from '#web/lib/submission.ts'
import { toast } from '#web/lib/toast.ts'
import { cancelPremium, resumePremium, rewardsQuery, upgrade } from '#web/rewards/queries.ts'
import { Button } from '#web/ui/button.tsx'
import { Confirm } from '#web/ui/confirm.tsx'
import { RowIcon } from '#web/ui/row.tsx'
import { Card } from '#web/ui/screen.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

/** Shows Premium: its benefits, its price, and the buttons to subscribe and cancel. */
export function PremiumCard({ premium }: { premium: Premium | undefined }) {
  const { t } = useLingui()
  return (
    <section aria-label={t`Premium`}>
      <Card className="@container p-4">
        <div className="flex items-center gap-3">
          <RowIcon icon={Crown} tint="orange" />
          <div className="min-w-0 flex-1">
            <h2 className="text-[1.0625rem] font-semibold tracking-tight">
              {premium && premium.status !== 'none' ? <Trans>You have Premium</Trans> : <Trans>Alder Premium</Trans>}
            </h2>
            <p className="text-[0.9375rem] text-ink-soft">
              <Trans>Earn 2x points on everything</Trans>
            </p>
          </div>
        </div>
        {premium ? <PremiumStatus premium={premium} /> : <StandingSkeleton />}
      </Card>
    </section>
  )
}

function StandingSkeleton() {
  return (
    <>
      <Skeleton line className="mt-3.5 w-48 text-[0.9375rem]" />
      <Skeleton className="mt-3.5 h-13 !rounded-control" />
    </>
  )
}

function PremiumStatus({ premium }: { premium: Premium }) {
  return (
    <>
      <p className="mt-3.5 text-[0.9375rem] text-pretty">
        <Terms premium={premium} />
      </p>
      <div className="mt-3.5 flex flex-col">
        {premium.status === 'none' && <Upgrade premium={premium} />}
        {premium.status === 'ends' && <Resume />}
        {(premium.status === 'renews' || premium.status === 'short') && <Cancel premium={premium} />}
      </div>
    </>
  )
}

function Terms({ premium: { status, until, triesAt, priceMinor, asset } }: { premium: Premium }) {
  const today = useBusinessDay()
  const price = money(priceMinor, asset)
  const end = until ? shortDay(until, today) : ''
  const next = triesAt ? shortDay(triesAt, today) : ''
  if (status === 'none')
    return <Trans comment="{price} is the price of Premium">{price} a month. Cancel anytime.</Trans>
  if (status === 'renews')
    return (
      <Trans comment="{end} is a date, {price} a price">
        Renews on {end} for {price}.
      </Trans>
    )
  if (status === 'ends') return <Trans comment="{end} is a date">Canceled. It's yours until {end}.</Trans>
  return (
    <Trans comment="{price} is a price, {next} a date">
      There wasn't enough in your account to pay {price} for the next month. We'll try again on {next}. Until then, your
      points aren't doubled.
    </Trans>
  )
}

function Upgrade({ premium: { priceMinor, asset } }: { premium: Premium }) {
  const { t } = useLingui()
  const [isAsking, setAsking] = useState(false)
  const price = money(priceMinor, asset)
  const { submit, busy } = useSubmission({
    send: upgrade,
    loading: () => t`Upgrading to Premium…`,
    success: () => ({ message: t`Welcome to Premium!`, description: t`From now on, you earn 2x points.` }),
    outcome: () => ({ sent: t`You have Premium`, notSent: t`Canceled. You weren't charged` }),
  })
  return (
    <>
      <Button busy={busy} aria-haspopup="dialog" onClick={() => setAsking(true)}>
        <Trans>Upgrade Now</Trans>
      </Button>
      <Confirm
        open={isAsking}
        onOpenChange={setAsking}
        title={t`Upgrade to Premium?`}
        description={t`${price} a month.`}
        yes={t({ message: `Pay ${price} and Upgrade`, comment: 'A button. {price} is the price of the first month' })}
        no={t`Not Now`}
        onYes={() => {
          setAsking(false)
          void submit({ priceMinor, asset: 'USD' })
        }}
      >
        <p>
          <Trans>
            We'll take {price} from your account today and every month until you cancel. You earn 2x points from now on.
          </Trans>
        </p>
      </Confirm>
    </>
  )
}

/** Returns a mutation that changes the renewal of Premium and shows the bank's new state. */
function useRenewal(change: typeof cancelPremium, onDone: () => void) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: (rewards) => {
      queries.setQueryData(rewardsQuery.queryKey, rewards)
      onDone()
    },
    onSettled: () => queries.invalidateQueries({ queryKey: rewardsQuery.queryKey }),
  })
}

function Resume() {
  const { t } = useLingui()
  const { mutate, isPending, error } = useRenewal(resumePremium, () => toast.success(t`Premium will renew`))
  const message = errorMessage(error)
  return (
    <>
      <Button variant="secondary" busy={isPending} onClick={() => mutate()}>
        <Trans>Keep Premium</Trans>
      </Button>
      {message && (
        <p role="alert" className="mt-2 text-sm font-medium text-danger">
          {message}
        </p>
      )}
    </>
  )
}

function Cancel({ premium: { status, until } }: { premium: Premium }) {
  const { t } = useLingui()
  const today = useBusinessDay()
  const [isAsking, setAsking] = useState(false)
  const { mutate, isPending, error, reset } = useRenewal(cancelPremium, () => {
    setAsking(false)
    toast.success(t`Premium canceled`)
  })
  const end = until ? shortDay(until, today) : ''
  return (
    <>
      <Button
        variant="secondary"
        aria-haspopup="dialog"
        onClick={() => {
          reset()
          setAsking(true)
        }}
      >
        <Trans>Cancel Premium</Trans>
      </Button>
      <Confirm
        open={isAsking}
        onOpenChange={setAsking}
        title={t`Cancel Premium?`}
        description={t`You can upgrade again at any time.`}
        yes={t`Cancel Premium`}
        no={t`Keep Premium`}
        danger
        busy={isPending}
        error={errorMessage(error)}
        onYes={() => mutate()}
      >
        <p>
          {status === 'short' ? (
            <Trans>It ends now, and we won't try to charge you again.</Trans>
          ) : (
            <Trans comment="{end} is a date">You keep it until {end}, with 2x points. We won't charge you again.</Trans>
          )}
        </p>
      </Confirm>
    </>
  )
}
