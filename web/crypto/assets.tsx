import { Trans, useLingui } from '@lingui/react/macro'
import type { CryptoOverview, Holding } from '#contract/crypto.ts'
import { COIN_NAMES } from '#contract/crypto-terms.ts'
import type { Coin } from '#contract/markets.ts'
import { PriceChange } from '#web/crypto/shared/price-change.tsx'
import { CoinIcon } from '#web/crypto/shared/coin-icon.tsx'
import { isPaused } from '#web/crypto/shared/paused-coins.tsx'
import { coinText, coinPriceText } from '#web/crypto/shared/words.ts'
import { money } from '#web/i18n/formats.ts'
import { Onward } from '#web/ui/row.tsx'
import { Card, Section } from '#web/ui/screen.tsx'
import { RowSkeletons } from '#web/ui/skeleton.tsx'

type AssetsProps = { overview: CryptoOverview | undefined; onOpen: (asset: Coin) => void }

/** Lists the coins: the amount and value of each holding, or the coins' prices if the customer holds none. */
export function Assets({ overview, onOpen }: AssetsProps) {
  const { t } = useLingui()
  const hasCoins = overview?.holdings.some(({ amountMinor }) => amountMinor > 0) ?? true
  return (
    <Section title={hasCoins ? t({ message: 'Assets', comment: "The heading of the customer's coins" }) : t`Prices`}>
      {!hasCoins && (
        <p className="px-1 pb-3 text-sm text-pretty text-ink-soft">
          <Trans>You don't have any coins yet. Choose one to see how its price has moved.</Trans>
        </p>
      )}
      <Card>
        {overview ? (
          <ul className="divide-y divide-line">
            {overview.holdings.map((holding) => (
              <li key={holding.asset}>
                <AssetRow holding={holding} hasCoins={hasCoins} onOpen={() => onOpen(holding.asset)} />
              </li>
            ))}
          </ul>
        ) : (
          <RowSkeletons count={3} />
        )}
      </Card>
    </Section>
  )
}

type AssetRowProps = { holding: Holding; hasCoins: boolean; onOpen: () => void }

function AssetRow({ holding, hasCoins, onOpen }: AssetRowProps) {
  const { asset, amountMinor, valueMinor, priceMicros, changeBps } = holding
  const figure = hasCoins
    ? valueMinor !== null && money(valueMinor, 'USD')
    : priceMicros !== null && coinPriceText(priceMicros)
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      onClick={onOpen}
      className="@container w-full px-4 text-start -outline-offset-2 transition-colors duration-150 hover:bg-muted/60 active:bg-muted"
    >
      <span className="flex min-h-18 items-center gap-3 py-2.5">
        <CoinIcon coin={asset} />
        <span className="flex min-w-0 flex-1 flex-wrap items-center justify-between gap-x-3">
          <span className="min-w-0">
            <span className="block font-medium">{COIN_NAMES[asset]}</span>
            <span className="tabular block text-sm text-ink-soft">
              {hasCoins ? coinText(amountMinor, asset) : asset}
            </span>
          </span>
          <span className="tabular ms-auto text-end">
            <span className="block font-semibold">{figure || '–'}</span>
            <span className="block text-sm">
              {isPaused(holding) ? (
                <span className="text-ink-soft">
                  <Trans comment="Trading in a coin is paused">Paused</Trans>
                </span>
              ) : (
                changeBps !== null && <PriceChange bps={changeBps} />
              )}
            </span>
          </span>
        </span>
        <Onward />
      </span>
    </button>
  )
}
