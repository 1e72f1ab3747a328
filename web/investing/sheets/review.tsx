import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import type { InvestmentPreview, InvestmentPreviewQuery } from '#contract/investing.ts'
import { dateAndTime, shortDay } from '#web/i18n/dates.ts'
import { money } from '#web/i18n/formats.ts'
import { previewQuery } from '#web/investing/queries.ts'
import { Details } from '#web/investing/shared/details.tsx'
import { RiskLine } from '#web/investing/shared/risk-line.tsx'
import { priceText, unitsFigure } from '#web/investing/shared/words.ts'
import { fundText } from '#web/markets/shared/fund-text.ts'
import { messageOf } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

type ReviewProps = {
  order: InvestmentPreviewQuery
  today: string
  busy: boolean
  done: boolean
  onBack: () => void
}

/** What an order comes to, before it is placed: the end of a form, with its button. */
export function Review({ order, today, busy, done, onBack }: ReviewProps) {
  const { data, error } = useQuery(previewQuery(order))
  const isBuy = order.side === 'buy'
  return (
    <>
      <h3 tabIndex={-1} ref={focus} className="font-semibold outline-none">
        <Trans>Check your order</Trans>
      </h3>
      {error ? (
        <p role="alert" className="rounded-control bg-danger-subtle px-4 py-3 text-sm font-medium text-danger">
          {messageOf(error)}
        </p>
      ) : data ? (
        <Figures preview={data} today={today} />
      ) : (
        <Skeleton className="h-75 !rounded-card" />
      )}
      <p className="px-1 text-sm text-pretty text-ink-soft">
        {isBuy ? (
          <Trans>
            You buy at the next price, so the number of units can change a little. Until then you can cancel.
          </Trans>
        ) : (
          <Trans>You sell at the next price, so what you get can change a little. Until then you can cancel.</Trans>
        )}
      </p>
      {isBuy && <RiskLine />}
      <div className="flex flex-col gap-2">
        {!error && (
          <Button type="submit" busy={busy || !data} done={done}>
            {isBuy ? <Trans>Invest Now</Trans> : <Trans context="an investment">Sell</Trans>}
          </Button>
        )}
        <Button variant="secondary" disabled={busy} onClick={onBack}>
          <Trans comment="Goes back to the step before">Back</Trans>
        </Button>
      </div>
    </>
  )
}

/** What takes the place of the step before is read from its heading on. */
function focus(heading: HTMLElement | null): void {
  heading?.focus()
}

function Figures({ preview, today }: { preview: InvestmentPreview; today: string }) {
  const { t } = useLingui()
  const { side, fund, amountMinor, feeMinor, unitsMinor, asset, priceMicros, pricedAt, fillsAt } = preview
  const isBuy = side === 'buy'
  const units = unitsFigure(fund, unitsMinor)
  const amount = money(amountMinor, asset)
  const pricedOn = shortDay(pricedAt, today)
  return (
    <Details
      details={[
        { label: t({ message: 'Fund', comment: 'What is invested in' }), value: fundText(fund) },
        isBuy && { label: t`You pay`, value: amount },
        !isBuy && { label: t`You sell`, value: t`${units} units` },
        { label: isBuy ? t`Fee, included` : t`Fee, taken off`, value: money(feeMinor, asset) },
        isBuy && { label: t`You get about`, value: t`${units} units` },
        !isBuy && { label: t`You get about`, value: amount },
        { label: t`Last price, ${pricedOn}`, value: priceText(priceMicros) },
        { label: t`Filled by`, value: dateAndTime(fillsAt) },
      ]}
    />
  )
}
