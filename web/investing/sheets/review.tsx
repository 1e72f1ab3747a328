import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import type { InvestmentPreview, InvestmentPreviewQuery } from '#contract/investing.ts'
import { dateAndTime, shortDay } from '#web/i18n/dates.ts'
import { money, withFullStop } from '#web/i18n/formats.ts'
import { previewQuery } from '#web/investing/queries.ts'
import { DetailList } from '#web/investing/shared/details.tsx'
import { RiskLine } from '#web/investing/shared/risk-line.tsx'
import { fundPriceText, unitsFigure } from '#web/investing/shared/words.ts'
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

/** Shows the figures of an order before it is placed, and the buttons to place it and to go back. */
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
          {withFullStop(messageOf(error))}
        </p>
      ) : data ? (
        <Figures preview={data} today={today} />
      ) : (
        <Skeleton className="h-75 !rounded-card" />
      )}
      <p className="px-1 text-sm text-pretty text-ink-soft">
        {isBuy ? (
          <Trans>
            You'll buy at the next price, so the number of units may change slightly. You can cancel until then.
          </Trans>
        ) : (
          <Trans>
            You'll sell at the next price, so the amount you get may change slightly. You can cancel until then.
          </Trans>
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
          <Trans comment="Returns to the previous step">Back</Trans>
        </Button>
      </div>
    </>
  )
}

/** Moves the focus to the heading, so that a screen reader starts at the new step. */
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
    <DetailList
      details={[
        { label: t({ message: 'Fund', comment: 'The fund of an investment' }), value: fundText(fund) },
        isBuy && { label: t`You Pay`, value: amount },
        !isBuy && { label: t`You Sell`, value: t`${units} units` },
        { label: isBuy ? t`Fee (included)` : t`Fee (deducted)`, value: money(feeMinor, asset) },
        isBuy && { label: t`You'll Get About`, value: t`${units} units` },
        !isBuy && { label: t`You'll Get About`, value: amount },
        { label: t`Last Price, ${pricedOn}`, value: fundPriceText(priceMicros) },
        { label: t`Expected By`, value: dateAndTime(fillsAt) },
      ]}
    />
  )
}
