import { plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { COIN_NAMES, ORDER_DAYS } from '#contract/crypto-terms.ts'
import type { OrderRequest } from '#contract/crypto.ts'
import { placeLimitOrder } from '#web/crypto/queries.ts'
import { freeMinor } from '#web/crypto/shared/value.ts'
import { coinText, centsToMicros, MAX_PRICE_CENTS, coinPriceText } from '#web/crypto/shared/words.ts'
import { TradeAmountField, tradeAmountAsset } from '#web/crypto/sheets/trade/trade-amount-field.tsx'
import type { TradeFormProps } from '#web/crypto/sheets/trade/trade-now.tsx'
import { money } from '#web/i18n/formats.ts'
import { type FormCheck, formErrors, useForm } from '#web/lib/form.ts'
import { amountErrors, parseMinor } from '#web/lib/amounts.ts'
import { Button } from '#web/ui/button.tsx'
import { AmountField } from '#web/ui/amount-field.tsx'
import { Segmented } from '#web/ui/segmented.tsx'

type Values = { amount: string; limit: string }
type Days = OrderRequest['expiresInDays']

/** The default lifetime of an order in days. */
const DAYS_FIRST = 30

function useOrderForm({ overview, holding, side, onDone }: TradeFormProps, days: Days) {
  const { t } = useLingui()
  const { asset } = holding
  const amountAsset = tradeAmountAsset(side, holding)
  const name = COIN_NAMES[asset]
  const check: FormCheck<Values> = ({ amount, limit }) => [
    ...amountErrors<keyof Values>('amount', amount, { asset: amountAsset }),
    ...formErrors<'amount'>(
      side === 'buy' &&
        parseMinor(amount, 'USD') < overview.terms.buyLeastMinor && { field: 'amount', code: 'amount_too_small' },
      side === 'sell' && parseMinor(amount, asset) > freeMinor(holding) && { field: 'amount', code: 'coins_short' },
    ),
    ...amountErrors<keyof Values>('limit', limit),
    ...formErrors<'limit'>(parseMinor(limit, 'USD') > MAX_PRICE_CENTS && { field: 'limit', code: 'amount_too_large' }),
  ]
  return useForm({
    initial: { amount: '', limit: '' },
    startAt: 'amount',
    check,
    read: ({ amount, limit }): OrderRequest => ({
      side,
      asset,
      amountMinor: parseMinor(amount, amountAsset),
      amountAsset: side === 'buy' ? 'USD' : asset,
      limitMicros: centsToMicros(parseMinor(limit, 'USD')),
      expiresInDays: days,
    }),
    send: placeLimitOrder,
    loading: () => t`Placing your order…`,
    success: (_response, { limitMicros }) => {
      const price = coinPriceText(limitMicros)
      return {
        message: t`Order placed`,
        description: side === 'buy' ? t`Buy ${name} at ${price} or less` : t`Sell ${name} at ${price} or more`,
      }
    },
    outcome: () => ({ sent: t`The order was placed`, notSent: t`Canceled. No order was placed` }),
    refusedField: ({ code, field }) =>
      field === 'limitMicros'
        ? 'limit'
        : ['insufficient_funds', 'coins_short'].includes(code) || field
          ? 'amount'
          : null,
    onDone,
  })
}

/** Buys or sells when the price reaches the limit. */
export function LimitOrder(props: TradeFormProps) {
  const { t } = useLingui()
  const { holding, side } = props
  const [days, setDays] = useState<Days>(DAYS_FIRST)
  const form = useOrderForm(props, days)
  const amountMinor = parseMinor(form.values.amount, tradeAmountAsset(side, holding))
  const limitMicros = centsToMicros(parseMinor(form.values.limit, 'USD'))
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-4">
      <TradeAmountField
        side={side}
        holding={holding}
        field={{ ...form.field('amount'), label: t`Amount` }}
        onChange={(text) => form.set('amount', text)}
      />
      <AmountField
        look="line"
        {...form.field('limit')}
        onChange={(text) => form.set('limit', text)}
        label={side === 'buy' ? t`Highest Price for 1 Coin ($)` : t`Lowest Price for 1 Coin ($)`}
        hint={
          isMetNow(props, limitMicros) ? (
            <Trans>The price has already been reached, so we'll fill this order within a minute.</Trans>
          ) : (
            <Trans>The spread is included in the price.</Trans>
          )
        }
      />
      <Expiry days={days} onChange={setDays} />
      <p className="tabular px-1 text-sm text-pretty text-ink-soft">
        <ReservedAmount {...props} amountMinor={amountMinor} />
      </p>
      <Button type="submit" busy={form.busy} done={form.done}>
        <Trans comment="A button that places a limit order">Place Order</Trans>
      </Button>
    </form>
  )
}

/** Returns whether the market price, including the spread, has already reached the limit. */
function isMetNow({ overview, holding: { priceMicros }, side }: TradeFormProps, limitMicros: number): boolean {
  if (priceMicros === null || limitMicros === 0) return false
  const share = overview.terms.spreadBps / 10_000
  return side === 'buy' ? limitMicros >= priceMicros * (1 + share) : limitMicros <= priceMicros * (1 - share)
}

function ReservedAmount({ side, holding: { asset }, amountMinor }: TradeFormProps & { amountMinor: number }) {
  const held = side === 'buy' ? money(amountMinor, 'USD') : coinText(amountMinor, asset)
  if (amountMinor === 0 && side === 'buy')
    return <Trans>We set the money aside until the order is filled or canceled, or expires. The fee is included.</Trans>
  if (amountMinor === 0) return <Trans>We set the coins aside until the order is filled or canceled, or expires.</Trans>
  return side === 'buy' ? (
    <Trans comment="{held} is an amount of money">
      We set {held} aside until the order is filled or canceled, or expires. The fee is included.
    </Trans>
  ) : (
    <Trans comment="{held} is an amount of coins">
      We set {held} aside until the order is filled or canceled, or expires.
    </Trans>
  )
}

const FOREVER = 'forever'

function Expiry({ days, onChange }: { days: Days; onChange: (days: Days) => void }) {
  const { t } = useLingui()
  return (
    <div>
      <p className="mb-1.5 text-sm font-medium text-ink-soft">
        <Trans comment="The time for which a limit order stays open">Open For</Trans>
      </p>
      <Segmented
        label={t({ message: 'Open For', comment: 'The time for which a limit order stays open' })}
        value={days === null ? FOREVER : String(days)}
        onChange={(chosen) => onChange(ORDER_DAYS.find((option) => String(option) === chosen) ?? null)}
        options={[
          ...ORDER_DAYS.map((one) => ({
            value: String(one),
            label: plural(one, { one: '# day', other: '# days' }),
          })),
          {
            value: FOREVER,
            label: t({
              message: 'No limit',
              comment: 'A limit order without an end date stays open until it is canceled',
            }),
          },
        ]}
      />
    </div>
  )
}
