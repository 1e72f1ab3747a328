import { Trans, useLingui } from '@lingui/react/macro'
import { ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import type { CryptoOverview, Holding } from '#contract/crypto.ts'
import { COIN_NAMES } from '#contract/crypto-terms.ts'
import type { Coin } from '#contract/markets.ts'
import { PriceChange } from '#web/crypto/shared/price-change.tsx'
import { PausedCoins } from '#web/crypto/shared/paused-coins.tsx'
import { freeMinor } from '#web/crypto/shared/value.ts'
import { coinPriceText } from '#web/crypto/shared/words.ts'
import type { Side } from '#web/crypto/shared/crypto-sheet.ts'
import { LimitOrder } from '#web/crypto/sheets/trade/limit-order.tsx'
import { RecurringBuyForm } from '#web/crypto/sheets/trade/recurring-buy.tsx'
import { TradeNow } from '#web/crypto/sheets/trade/trade-now.tsx'
import { paths } from '#web/lib/paths.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Segmented } from '#web/ui/segmented.tsx'

/** The time of a trade: now, at a limit price, or at regular intervals. */
type TradeTime = 'now' | 'limit' | 'recurring'

type TradeCoinsProps = { overview: CryptoOverview; side: Side; asset: Coin | undefined; onDone: () => void }

/** Buys or sells coins. While a quote is shown, the other choices are hidden. */
export function TradeCoins({ overview, side, asset, onDone }: TradeCoinsProps) {
  const offeredHoldings = overview.holdings.filter((holding) => side === 'buy' || freeMinor(holding) > 0)
  const [tradeTime, setWay] = useState<TradeTime>('now')
  const [chosenAsset, setChosen] = useState(asset)
  const [isQuoted, setQuoted] = useState(false)
  const holding =
    offeredHoldings.find((candidate) => candidate.asset === chosenAsset) ?? offeredHoldings[0] ?? overview.holdings[0]
  if (overview.mustVerify) return <Verify />
  if (!holding) return null
  const form = { overview, holding, side, onDone }
  const key = holding.asset
  return (
    <div className="flex flex-col gap-4">
      {!isQuoted && (
        <>
          <Ways side={side} way={tradeTime} onChange={setWay} />
          <Coins offered={offeredHoldings} holding={holding} onChange={setChosen} />
          <PausedCoins holdings={[holding]} />
        </>
      )}
      {tradeTime === 'now' && <TradeNow key={key} {...form} onQuoted={setQuoted} />}
      {tradeTime === 'limit' && <LimitOrder key={key} {...form} />}
      {tradeTime === 'recurring' && <RecurringBuyForm key={key} {...form} />}
    </div>
  )
}

function Ways({ side, way, onChange }: { side: Side; way: TradeTime; onChange: (way: TradeTime) => void }) {
  const { t } = useLingui()
  return (
    <Segmented
      label={t({ message: 'Order Type', comment: 'The kind of a trade: now, at a limit price, or recurring' })}
      value={way}
      onChange={onChange}
      options={[
        { value: 'now', label: t({ message: 'Now', context: 'coins are traded' }) },
        { value: 'limit', label: t({ message: 'Limit', context: 'order' }) },
        ...(side === 'buy'
          ? [{ value: 'recurring' as const, label: t({ message: 'Recurring', context: 'buy' }) }]
          : []),
      ]}
    />
  )
}

type CoinsProps = { offered: readonly Holding[]; holding: Holding; onChange: (coin: Coin) => void }

function Coins({ offered, holding, onChange }: CoinsProps) {
  const { t } = useLingui()
  const { asset, priceMicros, changeBps } = holding
  const price = priceMicros === null ? null : coinPriceText(priceMicros)
  return (
    <div>
      <Segmented
        label={t({ message: 'Coin', comment: 'The coin of a trade' })}
        value={asset}
        onChange={onChange}
        options={offered.map((option) => ({ value: option.asset, label: COIN_NAMES[option.asset] }))}
      />
      {price && (
        <p className="tabular mt-2 flex flex-wrap justify-between gap-x-3 px-1 text-sm text-ink-soft">
          <span>
            <Trans comment="The price of one coin. Example: 1 BTC = $60,000.00">
              <bdi>1 {asset}</bdi> = {price}
            </Trans>
          </span>
          {changeBps !== null && <PriceChange bps={changeBps} />}
        </p>
      )}
    </div>
  )
}

function Verify() {
  const { t } = useLingui()
  return (
    <EmptyState
      icon={ShieldCheck}
      title={t`Verify your identity first`}
      action={
        <ButtonLink to={paths.kyc}>
          <Trans>Verify Identity</Trans>
        </ButtonLink>
      }
    >
      <Trans>
        You can buy and sell coins once we've verified your identity. Sending your documents takes a few minutes.
      </Trans>
    </EmptyState>
  )
}
