import { Trans, useLingui } from '@lingui/react/macro'
import { BadgeCheck, Leaf } from 'lucide-react'
import { useState } from 'react'
import type { CarbonFootprint } from '#contract/carbon.ts'
import { OFFSET_MINOR_PER_KG } from '#contract/carbon-terms.ts'
import { offsetFootprint } from '#web/carbon/queries.ts'
import { monthAndYear } from '#web/i18n/dates.ts'
import { money } from '#web/i18n/formats.ts'
import { kilogramText } from '#web/i18n/weights.ts'
import { useSubmission } from '#web/lib/submission.ts'
import { Button } from '#web/ui/button.tsx'
import { Confirm } from '#web/ui/confirm.tsx'
import { RowIcon } from '#web/ui/row.tsx'
import { Card } from '#web/ui/screen.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

/** Shows the emissions that are left to offset in a month, and the button to do so. */
export function OffsetCard({ footprint, isOld }: { footprint: CarbonFootprint | undefined; isOld: boolean }) {
  const { t } = useLingui()
  return (
    <section aria-label={t`Carbon Offset`}>
      <Card className="@container p-4">
        {footprint ? (
          <>
            <OffsetStatus footprint={footprint} />
            <Offset month={footprint.month} offset={footprint.offset} disabled={isOld} />
          </>
        ) : (
          <>
            <div className="flex items-center gap-3">
              <RowIcon icon={Leaf} />
              <div className="min-w-0 flex-1">
                <Skeleton line className="w-48 text-[1.0625rem]" />
                <Skeleton line className="w-full text-[0.9375rem]" />
              </div>
            </div>
            <Skeleton className="mt-4 h-13 !rounded-control" />
          </>
        )}
      </Card>
    </section>
  )
}

function OffsetStatus({ footprint }: { footprint: CarbonFootprint }) {
  const { grams, offsetGrams, offset, offsetBy } = footprint
  const isDone = offsetGrams > 0 && offset === null
  return (
    <div className="flex items-center gap-3">
      <RowIcon icon={isDone ? BadgeCheck : Leaf} />
      <div className="min-w-0 flex-1">
        <h2 className="text-[1.0625rem] font-semibold tracking-tight">
          {isDone ? <Trans>This month is offset</Trans> : <Trans>Offset Your Footprint</Trans>}
        </h2>
        <p className="text-[0.9375rem] text-pretty text-ink-soft">
          {offsetBy === null ? (
            <Trans>Offsets aren't available here yet.</Trans>
          ) : grams === 0 ? (
            <Trans>There's nothing to offset for this month.</Trans>
          ) : (
            <Offsetting offsetGrams={offsetGrams} isDone={isDone} />
          )}
        </p>
      </div>
    </div>
  )
}

function Offsetting({ offsetGrams, isDone }: { offsetGrams: number; isDone: boolean }) {
  const [weight, price] = [kilogramText(offsetGrams), money(OFFSET_MINOR_PER_KG, 'USD')]
  if (isDone) return <Trans comment="{weight} is a weight, such as 123 kg">You offset {weight} of CO₂.</Trans>
  if (offsetGrams === 0)
    return <Trans comment="{price} is a price, such as $0.15">At {price} per kilogram, with a certificate.</Trans>
  return (
    <Trans comment="{weight} is a weight, such as 123 kg; {price} a price, such as $0.15">
      You offset {weight} of CO₂. The rest costs {price} per kilogram.
    </Trans>
  )
}

type RemainingOffset = NonNullable<CarbonFootprint['offset']>
type OffsetProps = { month: string; offset: RemainingOffset | null; disabled: boolean }

/** The button stays when nothing is left to offset, because a sent request may still be waiting for its response. */
function Offset({ month, offset, disabled }: OffsetProps) {
  const { t } = useLingui()
  // The request contains the amount that the customer confirmed, even if less is left by then.
  const [isConfirming, setAsked] = useState(offset)
  const [isAsking, setAsking] = useState(false)
  const { submit, busy } = useSubmission({
    send: offsetFootprint,
    loading: (content) => {
      const sent = kilogramText(content.grams)
      return t`Offsetting ${sent}…`
    },
    success: ({ grams, number }) => {
      const done = kilogramText(grams)
      return { message: t`${done} of CO₂ offset`, description: t`Your certificate is ${number}` }
    },
    outcome: () => ({ sent: t`It was offset`, notSent: t`Canceled. You weren't charged` }),
  })
  return (
    <>
      {offset && (
        <OffsetButton
          offset={offset}
          busy={busy}
          disabled={disabled}
          onClick={() => {
            setAsked(offset)
            setAsking(true)
          }}
        />
      )}
      {isConfirming && (
        <AskFirst
          month={month}
          offset={isConfirming}
          open={isAsking}
          onOpenChange={setAsking}
          onYes={() => {
            setAsking(false)
            const { grams, amountMinor } = isConfirming
            void submit({ month, grams, amountMinor, asset: 'USD' })
          }}
        />
      )}
    </>
  )
}

type OffsetButtonProps = { offset: RemainingOffset; busy: boolean; disabled: boolean; onClick: () => void }

function OffsetButton({ offset, ...button }: OffsetButtonProps) {
  const { t } = useLingui()
  const [weight, cost] = [kilogramText(offset.grams), money(offset.amountMinor, offset.asset)]
  return (
    <Button className="mt-4 w-full" aria-haspopup="dialog" {...button}>
      {t({
        message: `Offset ${weight} for ${cost}`,
        comment: 'A button. Example: Offset 123 kg for $18.45',
      })}
    </Button>
  )
}

type AskFirstProps = {
  month: string
  offset: RemainingOffset
  open: boolean
  onOpenChange: (open: boolean) => void
  onYes: () => void
}

function AskFirst({ month, offset, ...confirm }: AskFirstProps) {
  const { t } = useLingui()
  const [weight, cost] = [kilogramText(offset.grams), money(offset.amountMinor, offset.asset)]
  const [price, monthName] = [money(OFFSET_MINOR_PER_KG, 'USD'), monthAndYear(month)]
  return (
    <Confirm
      {...confirm}
      title={t`Offset ${weight} of CO₂?`}
      description={t`This costs ${cost}.`}
      yes={t({ message: `Pay ${cost}`, comment: 'A button. {cost} is the price of an offset' })}
      no={t`Not Now`}
    >
      <p>
        <Trans comment="{monthName} is a month, {weight} a weight; the others are amounts of money">
          About {weight} of your footprint for {monthName} isn't offset yet. At {price} per kilogram, offsetting it
          costs {cost}, which we'll take from your account right away.
        </Trans>
      </p>
      <p>
        <Trans>You'll get a numbered certificate. If you spend more, you can offset that later.</Trans>
      </p>
      <p>
        <Trans>This is a sample bank, so no one is paid to offset anything. The certificate says so, too.</Trans>
      </p>
    </Confirm>
  )
}
