import { Trans, useLingui } from '@lingui/react/macro'
import { CalendarSync, Clock3 } from 'lucide-react'
import type { ReactNode } from 'react'
import type { CryptoOverview, Order, RecurringBuy } from '#contract/crypto.ts'
import { COIN_NAMES } from '#contract/crypto-terms.ts'
import { coinText, coinPriceText } from '#web/crypto/shared/words.ts'
import type { CryptoSheet } from '#web/crypto/shared/crypto-sheet.ts'
import { shortDay } from '#web/i18n/dates.ts'
import { money } from '#web/i18n/formats.ts'
import { Button } from '#web/ui/button.tsx'
import { InlineFacts } from '#web/ui/inline-facts.tsx'
import { RowIcon } from '#web/ui/row.tsx'
import { Rows } from '#web/ui/rows.tsx'
import { Card, Section } from '#web/ui/screen.tsx'

type PlansProps = { overview: CryptoOverview; onOpen: (sheet: CryptoSheet) => void }

/** Lists future trades: limit orders that wait for their price, and recurring buys. */
export function CryptoPlans({ overview: { orders, recurring, today }, onOpen }: PlansProps) {
  const { t } = useLingui()
  return (
    <>
      {orders.length > 0 && (
        <Section title={t`Open Orders`}>
          <Card>
            <Rows of={orders}>
              {(order) => <OrderRow order={order} today={today} onCancel={() => onOpen({ kind: 'cancel', order })} />}
            </Rows>
          </Card>
        </Section>
      )}
      {recurring.length > 0 && (
        <Section title={t`Recurring Buys`}>
          <Card>
            <Rows of={recurring}>
              {(plan) => <RecurringRow plan={plan} today={today} onStop={() => onOpen({ kind: 'stop', plan })} />}
            </Rows>
          </Card>
        </Section>
      )}
    </>
  )
}

type PlanRowProps = { icon: typeof Clock3; title: ReactNode; facts: ReactNode; action: ReactNode }

function PlanRow({ icon, title, facts, action }: PlanRowProps) {
  return (
    <div className="@container px-4">
      <div className="flex min-h-16 flex-wrap items-center justify-end gap-x-3 py-2.5">
        <div className="flex min-w-0 flex-1 basis-44 items-center gap-3">
          <RowIcon icon={icon} tint="plain" />
          <div className="min-w-0 flex-1">
            <p className="font-medium">{title}</p>
            <div className="tabular text-sm text-ink-soft">{facts}</div>
          </div>
        </div>
        {action}
      </div>
    </div>
  )
}

/** Shows a limit order in words: 'Buy Bitcoin at $60,000.00 or less'. */
export function LimitOrderTitle({ order: { side, asset, limitMicros } }: { order: Order }) {
  const name = COIN_NAMES[asset]
  const price = <span className="whitespace-nowrap">{coinPriceText(limitMicros)}</span>
  return side === 'buy' ? (
    <Trans comment="A limit order: {name} is a coin, {price} the highest price at which it is bought">
      Buy {name} at {price} or less
    </Trans>
  ) : (
    <Trans comment="A limit order: {name} is a coin, {price} the lowest price at which it is sold">
      Sell {name} at {price} or more
    </Trans>
  )
}

/** Returns the dollars or coins that an order has reserved. */
export const reservedText = ({ amountMinor, amountAsset, asset }: Order): string =>
  amountAsset === 'USD' ? money(amountMinor, 'USD') : coinText(amountMinor, asset)

function OrderRow({ order, today, onCancel }: { order: Order; today: string; onCancel: () => void }) {
  const { t } = useLingui()
  const held = reservedText(order)
  const day = order.expiresAt && shortDay(order.expiresAt, today)
  const name = COIN_NAMES[order.asset]
  return (
    <PlanRow
      icon={Clock3}
      title={<LimitOrderTitle order={order} />}
      facts={
        <InlineFacts
          facts={[
            {
              key: 'held',
              fact: <Trans comment="{held} is the money or coins set aside for an order">{held} set aside</Trans>,
            },
            {
              key: 'until',
              fact: day ? <Trans comment="{day} is a date">Until {day}</Trans> : <Trans>Until canceled</Trans>,
            },
          ]}
        />
      }
      action={
        <Button
          variant="quiet"
          size="small"
          className="-me-3 ms-auto"
          aria-haspopup="dialog"
          aria-label={order.side === 'buy' ? t`Cancel Order to Buy ${name}` : t`Cancel Order to Sell ${name}`}
          onClick={onCancel}
        >
          <Trans context="a limit order">Cancel</Trans>
        </Button>
      }
    />
  )
}

/** Shows a recurring buy in words: '$50.00 of Bitcoin every week'. */
export function RecurringTitle({ plan: { asset, amountMinor, every } }: { plan: RecurringBuy }) {
  const name = COIN_NAMES[asset]
  const amount = money(amountMinor, 'USD')
  return every === 'week' ? (
    <Trans comment="A recurring purchase of a coin">
      {amount} of {name} every week
    </Trans>
  ) : (
    <Trans comment="A recurring purchase of a coin">
      {amount} of {name} every month
    </Trans>
  )
}

function RecurringRow({ plan, today, onStop }: { plan: RecurringBuy; today: string; onStop: () => void }) {
  const { t } = useLingui()
  const day = shortDay(plan.nextOn, today)
  const name = COIN_NAMES[plan.asset]
  return (
    <PlanRow
      icon={CalendarSync}
      title={<RecurringTitle plan={plan} />}
      facts={<Trans comment="{day} is the date of the next recurring purchase">Next: {day}</Trans>}
      action={
        <Button
          variant="quiet"
          size="small"
          className="-me-3 ms-auto"
          aria-haspopup="dialog"
          aria-label={t`Stop Buying ${name}`}
          onClick={onStop}
        >
          <Trans context="a recurring buy">Stop</Trans>
        </Button>
      }
    />
  )
}
