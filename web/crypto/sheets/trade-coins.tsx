import { Trans, useLingui } from '@lingui/react/macro'
import { ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import type { CryptoOverview, Holding } from '#contract/crypto.ts'
import { COIN_NAMES } from '#contract/crypto-terms.ts'
import type { Coin } from '#contract/markets.ts'
import { Change } from '#web/crypto/shared/change.tsx'
import { Paused } from '#web/crypto/shared/paused.tsx'
import { freeMinor } from '#web/crypto/shared/value.ts'
import { priceText } from '#web/crypto/shared/words.ts'
import type { Side } from '#web/crypto/shared/crypto-sheet.ts'
import { LimitOrder } from '#web/crypto/sheets/trade/limit-order.tsx'
import { RecurringBuy } from '#web/crypto/sheets/trade/recurring-buy.tsx'
import { TradeNow } from '#web/crypto/sheets/trade/trade-now.tsx'
import { paths } from '#web/lib/paths.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Segmented } from '#web/ui/segmented.tsx'

/** When coins are traded: now, once they have a price, or again and again. */
type Way = 'now' | 'limit' | 'recurring'

type TradeCoinsProps = { overview: CryptoOverview; side: Side; asset: Coin | undefined; onDone: () => void }

/** Buys or sells coins. While a quote is looked at, there is nothing else to choose. */
export function TradeCoins({ overview, side, asset, onDone }: TradeCoinsProps) {
  const offered = overview.holdings.filter((holding) => side === 'buy' || freeMinor(holding) > 0)
  const [way, setWay] = useState<Way>('now')
  const [chosen, setChosen] = useState(asset)
  const [isQuoted, setQuoted] = useState(false)
  const holding = offered.find((one) => one.asset === chosen) ?? offered[0] ?? overview.holdings[0]
  if (overview.mustVerify) return <Verify />
  if (!holding) return null
  const form = { overview, holding, side, onDone }
  const key = holding.asset
  return (
    <div className="flex flex-col gap-4">
      {!isQuoted && (
        <>
          <Ways side={side} way={way} onChange={setWay} />
          <Coins offered={offered} holding={holding} onChange={setChosen} />
          <Paused holdings={[holding]} />
        </>
      )}
      {way === 'now' && <TradeNow key={key} {...form} onQuoted={setQuoted} />}
      {way === 'limit' && <LimitOrder key={key} {...form} />}
      {way === 'recurring' && <RecurringBuy key={key} {...form} />}
    </div>
  )
}

function Ways({ side, way, onChange }: { side: Side; way: Way; onChange: (way: Way) => void }) {
  const { t } = useLingui()
  return (
    <Segmented
      label={t({ message: 'Order Type', comment: 'Whether coins are traded now, at a limit, or again and again' })}
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
  const price = priceMicros === null ? null : priceText(priceMicros)
  return (
    <div>
      <Segmented
        label={t({ message: 'Coin', comment: 'Which one is traded' })}
        value={asset}
        onChange={onChange}
        options={offered.map((one) => ({ value: one.asset, label: COIN_NAMES[one.asset] }))}
      />
      {price && (
        <p className="tabular mt-2 flex flex-wrap justify-between gap-x-3 px-1 text-sm text-ink-soft">
          <span>
            <Trans comment="What one coin costs: 1 BTC = $60,000.00">
              <bdi>1 {asset}</bdi> = {price}
            </Trans>
          </span>
          {changeBps !== null && <Change bps={changeBps} />}
        </p>
      )}
    </div>
  )
}

function Verify() {
  const { t } = useLingui()
  return (
    <Notice
      icon={ShieldCheck}
      title={t`Verify your identity first`}
      action={
        <ButtonLink to={paths.kyc}>
          <Trans>Verify Identity</Trans>
        </ButtonLink>
      }
    >
      <Trans>You can buy and sell coins once we know who you are. It takes a few minutes.</Trans>
    </Notice>
  )
}
