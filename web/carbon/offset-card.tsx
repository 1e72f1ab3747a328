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

/** What is left of a month to offset, and the way to do it. */
export function OffsetCard({ footprint, isOld }: { footprint: CarbonFootprint | undefined; isOld: boolean }) {
  const { t } = useLingui()
  return (
    <section aria-label={t`Carbon Offset`}>
      <Card className="@container p-4">
        {footprint ? (
          <>
            <Standing footprint={footprint} />
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

function Standing({ footprint }: { footprint: CarbonFootprint }) {
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
            <Trans>There's nothing to offset in this month.</Trans>
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
  if (isDone) return <Trans comment="A weight: 123 kg">You offset {weight} of CO₂.</Trans>
  if (offsetGrams === 0) return <Trans comment="A price: $0.15">For {price} a kilogram, with a certificate.</Trans>
  return (
    <Trans comment="A weight and a price: 123 kg, $0.15">
      You offset {weight} of CO₂. The rest costs {price} a kilogram.
    </Trans>
  )
}

type Left = NonNullable<CarbonFootprint['offset']>
type OffsetProps = { month: string; offset: Left | null; disabled: boolean }

/** Stays where nothing is left: what was sent is still to be answered then. */
function Offset({ month, offset, disabled }: OffsetProps) {
  const { t } = useLingui()
  // What was agreed to is what is sent, whatever is left by then.
  const [asked, setAsked] = useState(offset)
  const [asking, setAsking] = useState(false)
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
    outcome: () => ({ sent: t`It was offset`, notSent: t`Cancelled. You weren't charged` }),
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
      {asked && (
        <AskFirst
          month={month}
          offset={asked}
          open={asking}
          onOpenChange={setAsking}
          onYes={() => {
            setAsking(false)
            const { grams, amountMinor } = asked
            void submit({ month, grams, amountMinor, asset: 'USD' })
          }}
        />
      )}
    </>
  )
}

type OffsetButtonProps = { offset: Left; busy: boolean; disabled: boolean; onClick: () => void }

function OffsetButton({ offset, ...button }: OffsetButtonProps) {
  const { t } = useLingui()
  const [weight, cost] = [kilogramText(offset.grams), money(offset.amountMinor, offset.asset)]
  return (
    <Button className="mt-4 w-full" aria-haspopup="dialog" {...button}>
      {t({
        message: `Offset ${weight} for ${cost}`,
        comment: 'A button; a weight and what it costs: Offset 123 kg for $18.45',
      })}
    </Button>
  )
}

type AskFirstProps = {
  month: string
  offset: Left
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
      yes={t({ message: `Pay ${cost}`, comment: 'A button; what an offset costs' })}
      no={t`Not Now`}
    >
      <p>
        <Trans comment="A month, a weight and two amounts of money">
          About {weight} of your footprint in {monthName} isn't offset yet. At {price} a kilogram that costs {cost},
          which we take from your account right away.
        </Trans>
      </p>
      <p>
        <Trans>You get a certificate with a number. What you spend later can be offset later.</Trans>
      </p>
      <p>
        <Trans>This is a sample bank: nobody is paid to offset anything, and the certificate says so.</Trans>
      </p>
    </Confirm>
  )
}
