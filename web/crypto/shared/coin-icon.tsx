import type { Coin } from '#contract/markets.ts'
import { ASSETS } from '#contract/money.ts'
import { cx } from '#web/ui/cx.ts'

const TINTS: Record<Coin, string> = {
  BTC: 'bg-orange-subtle text-orange',
  ETH: 'bg-purple-subtle text-purple',
  LTC: 'bg-blue-subtle text-blue',
}

/** Shows a coin's symbol. The coin's name is shown beside it. */
export function CoinIcon({ coin }: { coin: Coin }) {
  return (
    <span
      aria-hidden
      className={cx(
        'grid size-11 shrink-0 place-items-center rounded-full text-xl leading-none font-semibold @max-[12rem]:hidden',
        TINTS[coin],
      )}
    >
      {ASSETS[coin].symbol}
    </span>
  )
}
