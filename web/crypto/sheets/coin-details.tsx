import { Trans, useLingui } from '@lingui/react/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { CryptoOverview, Holding, Trade } from '#contract/crypto.ts'
import type { Coin } from '#contract/markets.ts'
import { MINUS } from '#contract/money.ts'
import { tradesQuery } from '#web/crypto/queries.ts'
import { gainLossColor } from '#web/crypto/shared/price-change.tsx'
import { FigureLine, FigureLines } from '#web/crypto/shared/figure-lines.tsx'
import { PausedCoins } from '#web/crypto/shared/paused-coins.tsx'
import { freeMinor } from '#web/crypto/shared/value.ts'
import { coinText, coinPriceText } from '#web/crypto/shared/words.ts'
import type { CryptoSheet } from '#web/crypto/shared/crypto-sheet.ts'
import { PriceChart } from '#web/crypto/sheets/price-chart.tsx'
import { shortDay } from '#web/i18n/dates.ts'
import { money, withFullStop } from '#web/i18n/formats.ts'
import { messageOf } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { cx } from '#web/ui/cx.ts'
import { Money, SpokenFigure } from '#web/ui/money.tsx'
import { Rows } from '#web/ui/rows.tsx'
import { Card } from '#web/ui/screen.tsx'
import { ShowMore } from '#web/ui/show-more.tsx'
import { RowSkeletons } from '#web/ui/skeleton.tsx'

type CoinDetailsProps = { overview: CryptoOverview; asset: Coin; onShow: (sheet: CryptoSheet) => void }

/** Shows a coin's price, the customer's holding and their trades. */
export function CoinDetails({ overview, asset, onShow }: CoinDetailsProps) {
  const holding = overview.holdings.find((candidate) => candidate.asset === asset)
  if (!holding) return null
  return (
    <div className="flex flex-col gap-5">
      <PausedCoins holdings={[holding]} />
      <PriceChart holding={holding} />
      <div className="flex flex-wrap gap-3">
        <Button className="flex-1" onClick={() => onShow({ kind: 'trade', side: 'buy', asset })}>
          <Trans context="coins">Buy</Trans>
        </Button>
        <Button
          variant="secondary"
          className="flex-1"
          disabled={freeMinor(holding) <= 0}
          onClick={() => onShow({ kind: 'trade', side: 'sell', asset })}
        >
          <Trans context="coins">Sell</Trans>
        </Button>
      </div>
      <HoldingFacts holding={holding} />
      <Trades asset={asset} />
    </div>
  )
}

function HoldingFacts({ holding }: { holding: Holding }) {
  const { asset, amountMinor, heldMinor, valueMinor, averageCostMicros, unrealisedMinor, realisedMinor } = holding
  return (
    <section>
      <h3 className="px-1 pb-2 font-semibold">
        <Trans comment="The customer's amount of a coin">Your Holding</Trans>
      </h3>
      <Card>
        <FigureLines>
          <FigureLine name={<Trans context="of coins">Amount</Trans>} strong>
            {coinText(amountMinor, asset)}
          </FigureLine>
          {heldMinor > 0 && (
            <FigureLine name={<Trans>Set Aside for Orders</Trans>}>{coinText(heldMinor, asset)}</FigureLine>
          )}
          <FigureLine name={<Trans comment="The current value of coins">Value</Trans>}>
            {valueMinor === null ? '–' : money(valueMinor, 'USD')}
          </FigureLine>
          {averageCostMicros !== null && (
            <FigureLine name={<Trans>Average Cost</Trans>} note={<Trans>For one coin, fees included</Trans>}>
              {coinPriceText(averageCostMicros)}
            </FigureLine>
          )}
          <Profit
            name={<Trans comment="Profit on assets still held">Unrealized Profit</Trans>}
            amountMinor={unrealisedMinor}
          />
          <Profit
            name={<Trans comment="Profit on assets already sold">Realized Profit</Trans>}
            amountMinor={realisedMinor}
          />
        </FigureLines>
      </Card>
    </section>
  )
}

function Profit({ name, amountMinor }: { name: ReactNode; amountMinor: number | null }) {
  return (
    <FigureLine name={name}>
      {amountMinor === null ? (
        '–'
      ) : (
        <Money amountMinor={amountMinor} asset="USD" sign="always" className={gainLossColor(amountMinor)} />
      )}
    </FigureLine>
  )
}

function Trades({ asset }: { asset: Coin }) {
  const list = useInfiniteQuery(tradesQuery(asset))
  const trades = list.data?.pages.flatMap((page) => page.trades)
  return (
    <section>
      <h3 className="px-1 pb-2 font-semibold">
        <Trans comment="The customer's purchases and sales of coins">Trades</Trans>
      </h3>
      <Card>
        {!trades && !list.error && <RowSkeletons count={2} />}
        {!trades && list.error && (
          <p className="px-4 py-5 text-center text-sm text-ink-soft">{withFullStop(messageOf(list.error))}</p>
        )}
        {trades?.length === 0 && (
          <p className="px-4 py-5 text-center text-sm text-ink-soft">
            <Trans>You haven't traded this coin yet</Trans>
          </p>
        )}
        {trades && trades.length > 0 && <Rows of={trades}>{(trade) => <TradeRow trade={trade} />}</Rows>}
      </Card>
      {trades && <ShowMore list={list} />}
    </section>
  )
}

function TradeRow({ trade }: { trade: Trade }) {
  const { side, asset, amountMinor, dollarsMinor, priceMicros, bookedAt } = trade
  const [price, day] = [coinPriceText(priceMicros), shortDay(bookedAt, null)]
  return (
    <div className="px-4 py-3">
      <p className="flex flex-wrap justify-between gap-x-3">
        <span className="font-medium">
          <TradeName trade={trade} />
        </span>
        <span className={cx('tabular ms-auto font-semibold', side === 'buy' && 'text-success')}>
          <bdi dir="ltr">
            <SpokenFigure text={`${side === 'buy' ? '+' : MINUS}${coinText(amountMinor, asset)}`} />
          </bdi>
        </span>
      </p>
      <p className="tabular flex flex-wrap justify-between gap-x-3 text-sm text-ink-soft">
        <span>
          <Trans comment="The day of a trade and the price of one coin. Example: Apr 18, 2026, at $97,415.98">
            {day}, at {price}
          </Trans>
        </span>
        <span className="ms-auto">
          <Money amountMinor={side === 'buy' ? -dollarsMinor : dollarsMinor} asset="USD" sign="always" />
        </span>
      </p>
    </div>
  )
}

function TradeName({ trade: { side, kind } }: { trade: Trade }) {
  const { t } = useLingui()
  if (kind === 'recurring') return t`Recurring buy`
  if (kind === 'order') return side === 'buy' ? t`Bought by limit order` : t`Sold by limit order`
  return side === 'buy'
    ? t({ message: 'Bought', comment: 'The kind of a trade in coins' })
    : t({ message: 'Sold', comment: 'The kind of a trade in coins' })
}
