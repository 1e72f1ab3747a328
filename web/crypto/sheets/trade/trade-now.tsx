import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { CryptoOverview, Holding, QuoteRequest } from '#contract/crypto.ts'
import { isPaused } from '#web/crypto/shared/paused-coins.tsx'
import { freeMinor } from '#web/crypto/shared/value.ts'
import type { Side } from '#web/crypto/shared/crypto-sheet.ts'
import { TradeAmountField, tradeAmountAsset } from '#web/crypto/sheets/trade/trade-amount-field.tsx'
import { QuoteView } from '#web/crypto/sheets/trade/quote-view.tsx'
import { useQuote } from '#web/crypto/sheets/trade/quote.ts'
import { errorText } from '#web/i18n/error-text.ts'
import { formErrors, useFields } from '#web/lib/form.ts'
import { amountErrors, parseMinor } from '#web/lib/amounts.ts'
import { Button } from '#web/ui/button.tsx'

export type TradeFormProps = { overview: CryptoOverview; holding: Holding; side: Side; onDone: () => void }

type TradeNowProps = TradeFormProps & { onQuoted: (isQuoted: boolean) => void }

/** Requests a quote and trades at its price. */
export function TradeNow({ overview, holding, side, onDone, onQuoted }: TradeNowProps) {
  const { t } = useLingui()
  const [quoteRequest, setRequested] = useState<QuoteRequest | null>(null)
  const asset = tradeAmountAsset(side, holding)
  const form = useFields<{ amount: string }>({
    initial: { amount: '' },
    startAt: 'amount',
    check: ({ amount }) => [
      ...amountErrors<'amount'>('amount', amount, { asset }),
      ...formErrors<'amount'>(
        side === 'buy' &&
          parseMinor(amount, asset) < overview.terms.buyLeastMinor && { field: 'amount', code: 'amount_too_small' },
        side === 'sell' && parseMinor(amount, asset) > freeMinor(holding) && { field: 'amount', code: 'coins_short' },
      ),
    ],
  })
  const { quoted, busy, ask, drop } = useQuote((refusal) => {
    form.showRefusal('amount', errorText(refusal.code, refusal.message))
    form.focus('amount', { select: true })
  })

  const get = (request: QuoteRequest) => void ask(request).then((quote) => quote && onQuoted(true))
  if (quoted && quoteRequest) {
    return (
      <QuoteView
        key={quoted.quote.id}
        quoted={quoted}
        spreadBps={overview.terms.spreadBps}
        busy={busy}
        onRenew={() => get(quoteRequest)}
        onBack={() => {
          drop()
          onQuoted(false)
        }}
        onDone={onDone}
      />
    )
  }
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={form.onSubmit(({ amount }) => {
        const amountMinor = parseMinor(amount, asset)
        const isWholeHolding = side === 'sell' && amountMinor === freeMinor(holding)
        const trade = {
          side,
          asset: holding.asset,
          amountMinor: isWholeHolding ? null : amountMinor,
          amountAsset: asset,
        }
        setRequested(trade as QuoteRequest)
        get(trade as QuoteRequest)
      })}
    >
      <TradeAmountField
        side={side}
        holding={holding}
        field={{ ...form.field('amount'), label: t`Amount` }}
        onChange={(text) => form.set('amount', text)}
      />
      <Button type="submit" busy={busy} disabled={isPaused(holding)}>
        <Trans comment="Requests the current price for buying or selling coins">Get Quote</Trans>
      </Button>
    </form>
  )
}
