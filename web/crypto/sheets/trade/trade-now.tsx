import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { CryptoOverview, Holding, QuoteRequest } from '#contract/crypto.ts'
import { isPaused } from '#web/crypto/shared/paused.tsx'
import { freeMinor } from '#web/crypto/shared/value.ts'
import type { Side } from '#web/crypto/shared/crypto-sheet.ts'
import { AmountOf, countedIn } from '#web/crypto/sheets/trade/amount-of.tsx'
import { QuoteView } from '#web/crypto/sheets/trade/quote-view.tsx'
import { useQuote } from '#web/crypto/sheets/trade/quote.ts'
import { errorText } from '#web/i18n/error-text.ts'
import { faults, useFields } from '#web/lib/form.ts'
import { amountFaults, readMinor } from '#web/lib/amounts.ts'
import { Button } from '#web/ui/button.tsx'

export type TradeFormProps = { overview: CryptoOverview; holding: Holding; side: Side; onDone: () => void }

type TradeNowProps = TradeFormProps & { onQuoted: (isQuoted: boolean) => void }

/** Asks for a quote, and trades at it. */
export function TradeNow({ overview, holding, side, onDone, onQuoted }: TradeNowProps) {
  const { t } = useLingui()
  const [asked, setAsked] = useState<QuoteRequest | null>(null)
  const asset = countedIn(side, holding)
  const form = useFields<{ amount: string }>({
    initial: { amount: '' },
    startAt: 'amount',
    check: ({ amount }) => [
      ...amountFaults<'amount'>('amount', amount, { asset }),
      ...faults<'amount'>(
        side === 'buy' &&
          readMinor(amount, asset) < overview.terms.buyLeastMinor && { field: 'amount', code: 'amount_too_small' },
        side === 'sell' && readMinor(amount, asset) > freeMinor(holding) && { field: 'amount', code: 'coins_short' },
      ),
    ],
  })
  const { quoted, busy, ask, drop } = useQuote((refusal) => {
    form.refuse('amount', errorText(refusal.code, refusal.message))
    form.focus('amount', { select: true })
  })

  const get = (request: QuoteRequest) => void ask(request).then((came) => came && onQuoted(true))
  if (quoted && asked) {
    return (
      <QuoteView
        key={quoted.quote.id}
        quoted={quoted}
        spreadBps={overview.terms.spreadBps}
        busy={busy}
        onRenew={() => get(asked)}
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
        const amountMinor = readMinor(amount, asset)
        const all = side === 'sell' && amountMinor === freeMinor(holding)
        const request = { side, asset: holding.asset, amountMinor: all ? null : amountMinor, amountAsset: asset }
        setAsked(request as QuoteRequest)
        get(request as QuoteRequest)
      })}
    >
      <AmountOf
        side={side}
        holding={holding}
        field={{ ...form.field('amount'), label: t`Amount` }}
        onChange={(text) => form.set('amount', text)}
      />
      <Button type="submit" busy={busy} disabled={isPaused(holding)}>
        <Trans comment="Asks what coins cost or bring now">Get Quote</Trans>
      </Button>
    </form>
  )
}
