import type { Asset } from '#contract/money.ts'
import { moneyParts } from '#web/i18n/formats.ts'
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
  const parts = moneyParts(amountMinor, asset, { sign })
  const point = smallDecimals ? parts.findIndex(({ type }) => type === 'decimal') : -1
  // The decimals are two parts: the point and the figures.
  const end = point + 2
  return (
    <span className={cx('tabular whitespace-nowrap', className)}>
      {textOf(point < 0 ? parts : parts.slice(0, point))}
      {point >= 0 && (
        <>
          <span className="text-[0.62em] opacity-75">{textOf(parts.slice(point, end))}</span>
          {textOf(parts.slice(end))}
        </>
      )}
    </span>
  )
}

const textOf = (parts: readonly Intl.NumberFormatPart[]) => parts.map(({ value }) => value).join('')
