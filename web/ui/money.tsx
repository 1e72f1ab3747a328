import { useLingui } from '@lingui/react/macro'
import type { CSSProperties } from 'react'
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

/** A minus is said as a word: not every screen reader says the sign. */
export function Minus() {
  const { t } = useLingui()
  return (
    <>
      <span className="sr-only select-none">
        {t({ message: 'minus', comment: 'Said by screen readers before an amount below zero: minus $5.60' })}{' '}
      </span>
      <span aria-hidden>{MINUS}</span>
    </>
  )
}

const written = (parts: readonly Intl.NumberFormatPart[]) => parts.map(({ value }) => value).join('')

/** Some parts of an amount, with a minus that is said. */
function textOf(parts: readonly Intl.NumberFormatPart[]) {
  const at = parts.findIndex(({ type }) => type === 'minusSign')
  if (at < 0) return written(parts)
  return (
    <>
      {written(parts.slice(0, at))}
      <Minus />
      {written(parts.slice(at + 1))}
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
