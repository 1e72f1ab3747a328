import { Trans, useLingui } from '@lingui/react/macro'
import type { InvestmentOrder } from '#contract/investing.ts'
import { useBusinessNow } from '#web/accounts/queries.ts'
import { dateAndTime } from '#web/i18n/dates.ts'
import { money } from '#web/i18n/formats.ts'
import { cancelOrder } from '#web/investing/queries.ts'
import { Details } from '#web/investing/shared/details.tsx'
import { OrderTitle } from '#web/investing/shared/order-row.tsx'
import { priceText, unitsFigure } from '#web/investing/shared/words.ts'
import { fundText } from '#web/markets/shared/fund-text.ts'
import { useSubmission } from '#web/lib/submission.ts'
import { Button } from '#web/ui/button.tsx'

/** Everything about an order, and the way to take it back while its price is not known. */
export function OrderDetails({ order, onDone }: { order: InvestmentOrder; onDone: () => void }) {
  const now = useBusinessNow()
  const isPriced = now !== null && now.toISOString() >= order.pricedAt
  return (
    <div className="flex flex-col gap-5">
      <p className="text-lg font-semibold">
        <OrderTitle side={order.side} fund={fundText(order.fund)} />
      </p>
      <OrderFacts order={order} />
      {order.status === 'pending' && !isPriced && <CancelOrder order={order} onDone={onDone} />}
    </div>
  )
}

function OrderFacts({ order }: { order: InvestmentOrder }) {
  const { t } = useLingui()
  const { side, fund, status, amountMinor, unitsMinor, feeMinor, priceMicros, asset } = order
  const isBuy = side === 'buy'
  return (
    <Details
      details={[
        { label: t({ message: 'Status', comment: 'Of an order' }), value: <Status order={order} /> },
        amountMinor !== null && {
          label:
            status === 'cancelled'
              ? t`Amount`
              : status === 'filled'
                ? isBuy
                  ? t`You paid`
                  : t`You got`
                : isBuy
                  ? t`You pay`
                  : t`You get`,
          value: status === 'cancelled' ? <s>{money(amountMinor, asset)}</s> : money(amountMinor, asset),
        },
        feeMinor !== null && { label: isBuy ? t`Fee, included` : t`Fee, taken off`, value: money(feeMinor, asset) },
        unitsMinor !== null && {
          label: t({ message: 'Units', comment: 'Of a fund' }),
          value: unitsFigure(fund, unitsMinor),
        },
        priceMicros !== null && { label: t`Price of a unit`, value: priceText(priceMicros) },
        { label: t({ message: 'Placed', context: 'an order' }), value: dateAndTime(order.placedAt) },
        status !== 'cancelled' && {
          label: status === 'filled' ? t`Price of` : t`Filled by`,
          value: dateAndTime(order.pricedAt),
        },
        status === 'cancelled' &&
          order.endedAt !== null && {
            label: t({ message: 'Cancelled', context: 'when' }),
            value: dateAndTime(order.endedAt),
          },
        order.planId !== null && { label: t`Placed by`, value: t`Recurring investment` },
      ]}
    />
  )
}

function Status({ order: { status, cancelledBy } }: { order: InvestmentOrder }) {
  if (status === 'pending') return <Trans context="an order">Pending</Trans>
  if (status === 'filled') return <Trans context="an order">Filled</Trans>
  return cancelledBy === 'bank' ? (
    <Trans comment="An order">Cancelled by us</Trans>
  ) : (
    <Trans comment="An order">Cancelled by you</Trans>
  )
}

function CancelOrder({ order: { id, side }, onDone }: { order: InvestmentOrder; onDone: () => void }) {
  const { t } = useLingui()
  const { submit, busy, done } = useSubmission({
    send: (orderId: string, key) => cancelOrder(orderId, key),
    loading: () => t`Cancelling your order…`,
    success: () => ({
      message: t`Your order is cancelled`,
      description: side === 'buy' ? t`The money is back in your account` : t`You keep your units`,
    }),
    outcome: () => ({ sent: t`Your order was cancelled`, notSent: t`Your order still stands` }),
  })
  return (
    <Button
      variant="secondary"
      busy={busy}
      done={done}
      onClick={() => void submit(id).then((cancelled) => cancelled === null || onDone())}
    >
      <Trans>Cancel Order</Trans>
    </Button>
  )
}
