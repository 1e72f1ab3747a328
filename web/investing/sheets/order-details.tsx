import { Trans, useLingui } from '@lingui/react/macro'
import type { InvestmentOrder } from '#contract/investing.ts'
import { useBusinessNow } from '#web/accounts/queries.ts'
import { dateAndTime } from '#web/i18n/dates.ts'
import { money } from '#web/i18n/formats.ts'
import { cancelFundOrder } from '#web/investing/queries.ts'
import { DetailList } from '#web/investing/shared/details.tsx'
import { FundOrderTitle } from '#web/investing/shared/order-row.tsx'
import { fundPriceText, unitsFigure } from '#web/investing/shared/words.ts'
import { fundText } from '#web/markets/shared/fund-text.ts'
import { useSubmission } from '#web/lib/submission.ts'
import { Button } from '#web/ui/button.tsx'

/** Shows the details of an order, and a button to cancel it while it has no price. */
export function OrderDetails({ order, onDone }: { order: InvestmentOrder; onDone: () => void }) {
  const now = useBusinessNow()
  const isPriced = now !== null && now.toISOString() >= order.pricedAt
  return (
    <div className="flex flex-col gap-5">
      <p className="text-lg font-semibold">
        <FundOrderTitle side={order.side} fund={fundText(order.fund)} />
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
    <DetailList
      details={[
        { label: t({ message: 'Status', comment: 'The status of an order' }), value: <Status order={order} /> },
        amountMinor !== null && {
          label:
            status === 'cancelled'
              ? t`Amount`
              : status === 'filled'
                ? isBuy
                  ? t`You Paid`
                  : t`You Received`
                : isBuy
                  ? t`You Pay`
                  : t`You Get`,
          value: status === 'cancelled' ? <s>{money(amountMinor, asset)}</s> : money(amountMinor, asset),
        },
        feeMinor !== null && { label: isBuy ? t`Fee (included)` : t`Fee (deducted)`, value: money(feeMinor, asset) },
        unitsMinor !== null && {
          label: t({ message: 'Units', comment: 'Units of a fund' }),
          value: unitsFigure(fund, unitsMinor),
        },
        priceMicros !== null && { label: t`Price per Unit`, value: fundPriceText(priceMicros) },
        { label: t({ message: 'Placed', context: 'an order' }), value: dateAndTime(order.placedAt) },
        status !== 'cancelled' && {
          label: status === 'filled' ? t`Price As Of` : t`Expected By`,
          value: dateAndTime(order.pricedAt),
        },
        status === 'cancelled' &&
          order.endedAt !== null && {
            label: t({ message: 'Canceled', context: 'when' }),
            value: dateAndTime(order.endedAt),
          },
        order.planId !== null && { label: t`Placed By`, value: t`Recurring investment` },
      ]}
    />
  )
}

function Status({ order: { status, cancelledBy } }: { order: InvestmentOrder }) {
  if (status === 'pending') return <Trans context="an order">Pending</Trans>
  if (status === 'filled') return <Trans context="an order">Filled</Trans>
  return cancelledBy === 'bank' ? (
    <Trans comment="The status of an order">Canceled by us</Trans>
  ) : (
    <Trans comment="The status of an order">Canceled by you</Trans>
  )
}

function CancelOrder({ order: { id, side }, onDone }: { order: InvestmentOrder; onDone: () => void }) {
  const { t } = useLingui()
  const { submit, busy, done } = useSubmission({
    send: (orderId: string, key) => cancelFundOrder(orderId, key),
    loading: () => t`Canceling your order…`,
    success: () => ({
      message: t`Your order is canceled`,
      description: side === 'buy' ? t`The money is back in your account` : t`You keep your units`,
    }),
    outcome: () => ({ sent: t`Your order was canceled`, notSent: t`Your order is still pending` }),
  })
  return (
    <Button
      variant="secondary"
      busy={busy}
      done={done}
      onClick={() => void submit(id).then((response) => response === null || onDone())}
    >
      <Trans>Cancel Order</Trans>
    </Button>
  )
}
