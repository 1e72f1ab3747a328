import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useRef, useState } from 'react'
import type { Quote } from '#contract/crypto.ts'
import { COIN_NAMES } from '#contract/crypto-terms.ts'
import { tradeQuote } from '#web/crypto/queries.ts'
import { FigureLine, FigureLines } from '#web/crypto/shared/figure-lines.tsx'
import { CryptoRiskNotice } from '#web/crypto/shared/risk-notice.tsx'
import { spreadMinor } from '#web/crypto/shared/value.ts'
import { coinText, coinPriceText } from '#web/crypto/shared/words.ts'
import { Countdown } from '#web/crypto/sheets/trade/countdown.tsx'
import { type ActiveQuote, useSecondsLeft } from '#web/crypto/sheets/trade/quote.ts'
import { money, rateText } from '#web/i18n/formats.ts'
import { useSubmission } from '#web/lib/submission.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/screen.tsx'

type QuoteViewProps = {
  quoted: ActiveQuote
  spreadBps: number
  /** Whether a new quote is loading. */
  busy: boolean
  onRenew: () => void
  onBack: () => void
  onDone: () => void
}

/**
 * After a quote arrives, Confirm ignores presses for this time in milliseconds. Such a press may have been meant for the
 * previous button.
 */
const TOO_SOON_MS = 400

/** Shows a quote while it is valid, and the button for a new one afterwards. */
export function QuoteView({ quoted, spreadBps, busy, onRenew, onBack, onDone }: QuoteViewProps) {
  const { t } = useLingui()
  const { quote, untilMs } = quoted
  const { seconds } = quote
  const secondsLeft = useSecondsLeft(untilMs)
  const [isRefused, setRefused] = useState(false)
  const { submit, busy: isConfirming } = useTrade(quote, () => setRefused(true))
  const isOver = !isConfirming && (secondsLeft === 0 || isRefused)
  const view = useFocus()
  const cameMs = useRef(0)
  useEffect(() => {
    cameMs.current = Date.now()
  }, [])
  const confirm = () => {
    if (Date.now() - cameMs.current >= TOO_SOON_MS)
      void submit({ quoteId: quote.id }).then((trade) => trade !== null && onDone())
  }
  return (
    <div
      ref={view}
      tabIndex={-1}
      role="group"
      aria-label={t({ message: `Quote, held for ${seconds} seconds`, comment: 'The price for a trade in coins' })}
      className="flex flex-col gap-4 outline-none"
    >
      <Countdown left={secondsLeft} isOver={isOver} />
      <PriceMoved quoted={quoted} />
      <QuoteLines quote={quote} spreadBps={spreadBps} isOver={isOver} />
      <CryptoRiskNotice />
      <div className="flex flex-col gap-2">
        {isOver ? (
          <Button key="renew" busy={busy} onClick={onRenew}>
            <Trans comment="Requests another price">New Quote</Trans>
          </Button>
        ) : (
          <Button key="confirm" busy={isConfirming} onClick={confirm}>
            {quote.side === 'buy' ? (
              <Trans context="a quote">Confirm Purchase</Trans>
            ) : (
              <Trans context="a quote">Confirm Sale</Trans>
            )}
          </Button>
        )}
        <Button variant="secondary" disabled={isConfirming || busy} onClick={onBack}>
          <Trans>Change Amount</Trans>
        </Button>
      </div>
    </div>
  )
}

/** Moves the focus to a new quote, because the previously focused element is gone. */
function useFocus() {
  const view = useRef<HTMLDivElement>(null)
  useEffect(() => {
    view.current?.focus({ preventScroll: true })
    view.current?.closest('.overflow-y-auto')?.scrollTo({ top: 0 })
  }, [])
  return view
}

function useTrade({ side, asset, amountMinor, dollarsMinor }: Quote, onOver: () => void) {
  const { t } = useLingui()
  const coins = coinText(amountMinor, asset)
  const dollars = money(dollarsMinor, 'USD')
  return useSubmission({
    send: ({ quoteId }: { quoteId: string }, key) => tradeQuote(quoteId, key),
    loading: () => (side === 'buy' ? t`Buying ${coins}…` : t`Selling ${coins}…`),
    success: () => ({
      message: side === 'buy' ? t`You bought ${coins} for ${dollars}` : t`You sold ${coins} for ${dollars}`,
    }),
    outcome: () =>
      side === 'buy'
        ? { sent: t`${coins} were bought`, notSent: t`Canceled. Nothing was bought` }
        : { sent: t`${coins} were sold`, notSent: t`Canceled. Nothing was sold` },
    showsRefusal: ({ code }) => code === 'quote_expired',
    onRefused: ({ code }) => {
      if (code === 'quote_expired' || code === 'quote_used') onOver()
    },
  })
}

/** Compares the price of a new quote with the price of the previous quote. Shows nothing for the first quote. */
function PriceMoved({ quoted: { quote, beforeMicros } }: { quoted: ActiveQuote }) {
  if (beforeMicros === null) return null
  const [before, now] = [coinPriceText(beforeMicros), coinPriceText(quote.priceMicros)]
  if (before === now)
    return (
      <p role="status" className="px-1 text-sm text-ink-soft">
        <Trans>The price is the same as before.</Trans>
      </p>
    )
  return (
    <p
      role="status"
      className="tabular rounded-control bg-blue-subtle px-4 py-3 text-sm font-medium text-pretty text-blue"
    >
      {quote.priceMicros > beforeMicros ? (
        <Trans comment="{before} and {now} are prices">
          The price has gone up from {before} to {now}
        </Trans>
      ) : (
        <Trans comment="{before} and {now} are prices">
          The price has gone down from {before} to {now}
        </Trans>
      )}
    </p>
  )
}

type QuoteLinesProps = { quote: Quote; spreadBps: number; isOver: boolean }

function QuoteLines({ quote, spreadBps, isOver }: QuoteLinesProps) {
  const { t } = useLingui()
  const { side, asset, amountMinor, dollarsMinor, feeMinor, priceMicros, marketMicros } = quote
  const name = COIN_NAMES[asset]
  const coins = coinText(amountMinor, asset)
  const dollars = money(dollarsMinor, 'USD')
  const share = rateText(spreadBps)
  const market = coinPriceText(marketMicros)
  return (
    <section aria-label={t`Quote`} className={isOver ? 'opacity-55' : undefined}>
      <Card>
        <div className="border-b border-line px-4 py-4">
          <p className="text-sm text-ink-soft">
            {side === 'buy' ? (
              <Trans comment="An amount of coins follows">You Get</Trans>
            ) : (
              <Trans comment="An amount of coins follows">You Sell</Trans>
            )}
          </p>
          <p className="tabular text-[min(1.5rem,8vw)] leading-tight font-semibold tracking-tight">{coins}</p>
        </div>
        <FigureLines>
          <FigureLine
            name={<Trans comment="{name} is a coin">Price of 1 {name}</Trans>}
            note={<Trans comment="{market} is a price">Market price {market}</Trans>}
          >
            {coinPriceText(priceMicros)}
          </FigureLine>
          <FigureLine
            name={
              <Trans comment="The difference between the market price and the bank's price. {share} is a percentage">
                Spread of {share}
              </Trans>
            }
            note={<Trans comment="The spread is included in the price">Included in the price</Trans>}
          >
            {money(spreadMinor(quote), 'USD')}
          </FigureLine>
          <FigureLine name={<Trans comment="The cost of a trade">Fee</Trans>}>{money(feeMinor, 'USD')}</FigureLine>
          <FigureLine
            strong
            name={
              side === 'buy' ? (
                <Trans comment="An amount of money follows">You Pay</Trans>
              ) : (
                <Trans comment="An amount of money follows">You Receive</Trans>
              )
            }
            note={side === 'buy' ? <Trans>Fee included</Trans> : <Trans>After the fee</Trans>}
          >
            {dollars}
          </FigureLine>
        </FigureLines>
      </Card>
    </section>
  )
}
