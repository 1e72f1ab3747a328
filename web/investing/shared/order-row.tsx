import { Trans } from '@lingui/react/macro'
import { ArrowDownToLine, Clock, Plus, X } from 'lucide-react'
import type { InvestmentOrder } from '#contract/investing.ts'
import { shortDay } from '#web/i18n/dates.ts'
import { money } from '#web/i18n/formats.ts'
import { unitsFigure } from '#web/investing/shared/words.ts'
import { fundText } from '#web/markets/shared/fund-text.ts'
import { InlineFacts } from '#web/ui/inline-facts.tsx'
import { Money } from '#web/ui/money.tsx'
import { ButtonRow } from '#web/ui/row.tsx'

type OrderRowProps = { order: InvestmentOrder; today: string; onOpen: () => void }

/** Shows an order as a row that opens its details. */
export function FundOrderItem({ order, today, onOpen }: OrderRowProps) {
  const { side, fund, status, placedAt, endedAt, amountMinor, unitsMinor, asset } = order
  const icon = { pending: Clock, filled: side === 'buy' ? Plus : ArrowDownToLine, cancelled: X }[status]
  return (
    <ButtonRow
      icon={icon}
      tint={status === 'filled' ? 'primary' : 'plain'}
      title={<FundOrderTitle side={side} fund={fundText(fund)} />}
      description={
        <InlineFacts
          facts={[
            { key: 'status', fact: <OrderStatus order={order} today={today} /> },
            ...(amountMinor === null && unitsMinor !== null
              ? [{ key: 'units', fact: <Units figure={unitsFigure(fund, unitsMinor)} /> }]
              : []),
            ...(status === 'pending' ? [] : [{ key: 'day', fact: shortDay(endedAt ?? placedAt, today) }]),
          ]}
        />
      }
      trailing={
        amountMinor !== null && (
          <span className="tabular shrink-0 text-end font-semibold @max-[16rem]:hidden">
            {status === 'cancelled' ? (
              <s className="font-normal text-ink-soft">{money(amountMinor, asset)}</s>
            ) : (
              <Money amountMinor={side === 'buy' ? -amountMinor : amountMinor} asset={asset} sign="always" />
            )}
          </span>
        )
      }
      opens
      onClick={onOpen}
    />
  )
}

export function FundOrderTitle({ side, fund }: { side: InvestmentOrder['side']; fund: string }) {
  return side === 'buy' ? (
    <Trans comment="An order to buy units of a fund">Buy {fund}</Trans>
  ) : (
    <Trans comment="An order to sell units of a fund">Sell {fund}</Trans>
  )
}

/** Shows until when an order is pending, or that it was filled or canceled. */
function OrderStatus({ order: { status, pricedAt }, today }: { order: InvestmentOrder; today: string }) {
  const day = shortDay(pricedAt, today)
  if (status === 'pending') {
    return <Trans comment="{day} is the day on which an order is filled: Today or a date">Pending, {day}</Trans>
  }
  return status === 'filled' ? <Trans context="an order">Filled</Trans> : <Trans context="an order">Canceled</Trans>
}

function Units({ figure: units }: { figure: string }) {
  return <Trans>{units} units</Trans>
}
