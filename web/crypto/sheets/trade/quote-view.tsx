import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useRef, useState } from 'react'
import type { Quote } from '#contract/crypto.ts'
import { COIN_NAMES } from '#contract/crypto-terms.ts'
import { tradeQuote } from '#web/crypto/queries.ts'
import { Line, Lines } from '#web/crypto/shared/lines.tsx'
import { RiskNotice } from '#web/crypto/shared/risk-notice.tsx'
import { spreadMinor } from '#web/crypto/shared/value.ts'
import { coinText, priceText } from '#web/crypto/shared/words.ts'
import { Countdown } from '#web/crypto/sheets/trade/countdown.tsx'
import { type Quoted, useSecondsLeft } from '#web/crypto/sheets/trade/quote.ts'
import { money, rateText } from '#web/i18n/formats.ts'
import { useSubmission } from '#web/lib/submission.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/screen.tsx'

type QuoteViewProps = {
  quoted: Quoted
  spreadBps: number
  /** A new one is being asked for. */
  busy: boolean
  onRenew: () => void
  onBack: () => void
  onDone: () => void
}

/** So long after a quote has come, no press is taken for its Confirm: it may have been meant for what stood there before. */
const TOO_SOON_MS = 400

/** One quote while it is honoured, and the way to a new one after that. */
export function QuoteView({ quoted, spreadBps, busy, onRenew, onBack, onDone }: QuoteViewProps) {
  const { t } = useLingui()
  const { quote, untilMs } = quoted
  const { seconds } = quote
  const left = useSecondsLeft(untilMs)
  const [isRefused, setRefused] = useState(false)
  const { submit, busy: confirming } = useTrade(quote, () => setRefused(true))
  const isOver = !confirming && (left === 0 || isRefused)
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
      aria-label={t({ message: `Quote, held for ${seconds} seconds`, comment: 'A price for coins' })}
      className="flex flex-col gap-4 outline-none"
    >
      <Countdown left={left} isOver={isOver} />
      <PriceMoved quoted={quoted} />
      <QuoteLines quote={quote} spreadBps={spreadBps} isOver={isOver} />
      <RiskNotice />
      <div className="flex flex-col gap-2">
        {isOver ? (
          <Button key="renew" busy={busy} onClick={onRenew}>
            <Trans comment="Asks for another price">New Quote</Trans>
          </Button>
        ) : (
          <Button key="confirm" busy={confirming} onClick={confirm}>
            {quote.side === 'buy' ? (
              <Trans context="a quote">Confirm Purchase</Trans>
            ) : (
              <Trans context="a quote">Confirm Sale</Trans>
            )}
          </Button>
        )}
        <Button variant="secondary" disabled={confirming || busy} onClick={onBack}>
          <Trans>Change Amount</Trans>
        </Button>
      </div>
    </div>
  )
}

/** A quote that comes has the focus: what had it before is gone. */
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
        ? { sent: t`${coins} were bought`, notSent: t`Cancelled. Nothing was bought` }
        : { sent: t`${coins} were sold`, notSent: t`Cancelled. Nothing was sold` },
    showsRefusal: ({ code }) => code === 'quote_expired',
    onRefused: ({ code }) => {
      if (code === 'quote_expired' || code === 'quote_used') onOver()
    },
  })
}

/** What the price was before, where a new quote has another one. */
function PriceMoved({ quoted: { quote, beforeMicros } }: { quoted: Quoted }) {
  if (beforeMicros === null) return null
  const [before, now] = [priceText(beforeMicros), priceText(quote.priceMicros)]
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
  const market = priceText(marketMicros)
  return (
    <section aria-label={t`Quote`} className={isOver ? 'opacity-55' : undefined}>
      <Card>
        <div className="border-b border-line px-4 py-4">
          <p className="text-sm text-ink-soft">
            {side === 'buy' ? (
              <Trans comment="Followed by an amount of coins">You get</Trans>
            ) : (
              <Trans comment="Followed by an amount of coins">You sell</Trans>
            )}
          </p>
          <p className="tabular text-[min(1.5rem,8vw)] leading-tight font-semibold tracking-tight">{coins}</p>
        </div>
        <Lines>
          <Line
            name={<Trans comment="{name} is a coin">Price of 1 {name}</Trans>}
            note={<Trans comment="{market} is a price">Market price {market}</Trans>}
          >
            {priceText(priceMicros)}
          </Line>
          <Line
            name={
              <Trans comment="The difference between the market's price and the bank's; {share} is a percentage">
                Spread of {share}
              </Trans>
            }
            note={<Trans comment="The spread">Included in the price</Trans>}
          >
            {money(spreadMinor(quote), 'USD')}
          </Line>
          <Line name={<Trans comment="What a trade costs">Fee</Trans>}>{money(feeMinor, 'USD')}</Line>
          <Line
            strong
            name={
              side === 'buy' ? (
                <Trans comment="Followed by an amount of money">You pay</Trans>
              ) : (
                <Trans comment="Followed by an amount of money">You receive</Trans>
              )
            }
            note={side === 'buy' ? <Trans>Fee included</Trans> : <Trans>After the fee</Trans>}
          >
            {dollars}
          </Line>
        </Lines>
      </Card>
    </section>
  )
}
