import { type Asset, formatAmount } from '#contract/money.ts'
import { cx } from '#web/ui/cx.ts'

type MoneyProps = {
  amountMinor: number
  asset: Asset
  sign?: 'always' | 'negative' | 'never'
  /** Writes the decimals smaller, for one figure that leads a screen. */
  smallDecimals?: boolean
  className?: string | undefined
}

/** An amount in figures of equal width: sign, currency, decimals. */
export function Money({ amountMinor, asset, sign = 'negative', smallDecimals = false, className }: MoneyProps) {
  const text = formatAmount(amountMinor, asset, { sign })
  const point = smallDecimals ? text.lastIndexOf('.') : -1
  return (
    <span className={cx('tabular whitespace-nowrap', className)}>
      {point < 0 ? text : text.slice(0, point)}
      {point >= 0 && <span className="text-[0.62em] opacity-75">{text.slice(point)}</span>}
    </span>
  )
}
