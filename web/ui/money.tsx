import { useLingui } from '@lingui/react/macro'
import type { CSSProperties, ReactNode } from 'react'
import { type Asset, MINUS } from '#contract/money.ts'
import { moneyParts } from '#web/i18n/formats.ts'
import { cx } from '#web/ui/cx.ts'

export type MoneyProps = {
  amountMinor: number
  asset: Asset
  sign?: 'always' | 'negative' | 'never'
  /** Writes the decimals smaller, for one figure that leads a screen. */
  smallDecimals?: boolean
  /** Becomes smaller where it is wider than what it stands in, an element that is a container. */
  fit?: boolean
  className?: string | undefined
}

/** An amount in figures of equal width: sign, currency, decimals. */
export function Money(amount: MoneyProps) {
  const { amountMinor, asset, sign = 'negative', smallDecimals = false, fit = false, className } = amount
  const parts = moneyParts(amountMinor, asset, { sign })
  const point = smallDecimals ? parts.findIndex(({ type }) => type === 'decimal') : -1
  // The decimals are two parts: the point and the figures.
  const end = point + 2
  return (
    <span
      className={cx('tabular whitespace-nowrap', fit && 'fit-container', className)}
      style={fit ? ({ '--chars': moneyChars(amount) } as CSSProperties) : undefined}
    >
      <Said text={written(parts)}>
        {point >= 0 && (
          <>
            {written(parts.slice(0, point))}
            <span className="text-[0.62em] opacity-75">{written(parts.slice(point, end))}</span>
            {written(parts.slice(end))}
          </>
        )}
      </Said>
    </span>
  )
}

const written = (parts: readonly Intl.NumberFormatPart[]) => parts.map(({ value }) => value).join('')

/** The sign of a figure: a minus, or a hyphen that is none between words or days. */
const SIGN = new RegExp(`${MINUS}|(?<![\\p{L}\\d])-(?=[^\\p{L}\\d\\s]*\\d)`, 'u')

/**
 * A figure as it is written, or as `children` draw it. A screen reader says it in one piece, and its minus as a word: not
 * every one says the sign.
 */
export function Said({ text, children }: { text: string; children?: ReactNode }) {
  const { t } = useLingui()
  const minus = t({ message: 'minus', comment: 'Said by screen readers before an amount below zero: minus $5.60' })
  const said = text.replace(SIGN, `${minus} `)
  if (said === text && !children) return text
  return (
    <>
      <span className="sr-only select-none">{said}</span>
      <span aria-hidden>{children || text}</span>
    </>
  )
}

/** How wide an amount is, in figures: what parts them takes half the room of one, decimals less where they are smaller. */
export function moneyChars({ amountMinor, asset, sign = 'negative', smallDecimals = false }: MoneyProps): number {
  const widths = moneyParts(amountMinor, asset, { sign }).map(({ type, value }) => {
    const width = type === 'group' || type === 'decimal' || type === 'literal' ? 0.5 : value.length
    return smallDecimals && (type === 'decimal' || type === 'fraction') ? width * 0.62 : width
  })
  return widths.reduce((sum, width) => sum + width, 0.5)
}

/** An amount on a line of its own, in letters of the size `most` or as large as it fits. */
export function FitMoney({ most, className, ...amount }: MoneyProps & { most: string }) {
  return (
    <span
      className={cx('fit-line block', className)}
      style={{ '--chars': moneyChars(amount), '--fit-max': most } as CSSProperties}
    >
      <Money {...amount} className="block" />
    </span>
  )
}
