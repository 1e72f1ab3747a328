import { useLingui } from '@lingui/react/macro'
import type { CSSProperties, ReactNode } from 'react'
import { type Asset, MINUS } from '#contract/money.ts'
import { moneyParts } from '#web/i18n/formats.ts'
import { cx } from '#web/ui/cx.ts'

export type MoneyProps = {
  amountMinor: number
  asset: Asset
  sign?: 'always' | 'negative' | 'never'
  /** Writes smaller decimals, for the main figure of a screen. */
  smallDecimals?: boolean
  /** Shrinks the text if it is wider than its container, an element with container queries. */
  fit?: boolean
  className?: string | undefined
}

/** An amount in tabular figures: sign, currency, decimals. */
export function Money(amount: MoneyProps) {
  const { amountMinor, asset, sign = 'negative', smallDecimals = false, fit = false, className } = amount
  const parts = moneyParts(amountMinor, asset, { sign })
  const point = smallDecimals ? parts.findIndex(({ type }) => type === 'decimal') : -1
  // The decimals are two parts: the decimal mark and the digits.
  const end = point + 2
  return (
    <span
      className={cx('tabular whitespace-nowrap', fit && 'fit-container', className)}
      style={fit ? ({ '--chars': moneyChars(amount) } as CSSProperties) : undefined}
    >
      <SpokenFigure text={joinParts(parts)}>
        {point >= 0 && (
          <>
            {joinParts(parts.slice(0, point))}
            <span className="text-[0.62em] opacity-75">{joinParts(parts.slice(point, end))}</span>
            {joinParts(parts.slice(end))}
          </>
        )}
      </SpokenFigure>
    </span>
  )
}

const joinParts = (parts: readonly Intl.NumberFormatPart[]) => parts.map(({ value }) => value).join('')

/** Matches the sign of a figure: a minus, or a hyphen before digits. A hyphen inside a word or a date does not match. */
const SIGN = new RegExp(`${MINUS}|(?<![\\p{L}\\d])-(?=[^\\p{L}\\d\\s]*\\d)`, 'u')

/**
 * Shows a figure as `children`, or as `text` if there are none. Screen readers read `text` as one phrase. They read the word
 * "minus" in place of the sign, because some screen readers skip the sign.
 */
export function SpokenFigure({ text, children }: { text: string; children?: ReactNode }) {
  const { t } = useLingui()
  const minus = t({
    message: 'minus',
    comment: 'Screen readers read this before a negative amount. Example: minus $5.60',
  })
  const spokenText = text.replace(SIGN, `${minus} `)
  if (spokenText === text && !children) return text
  return (
    <>
      <span className="sr-only select-none">{spokenText}</span>
      <span aria-hidden>{children || text}</span>
    </>
  )
}

/** Returns the width of an amount in digits. Separators count as half a digit, and smaller decimals count less. */
export function moneyChars({ amountMinor, asset, sign = 'negative', smallDecimals = false }: MoneyProps): number {
  const widths = moneyParts(amountMinor, asset, { sign }).map(({ type, value }) => {
    const width = type === 'group' || type === 'decimal' || type === 'literal' ? 0.5 : value.length
    return smallDecimals && (type === 'decimal' || type === 'fraction') ? width * 0.62 : width
  })
  return widths.reduce((sum, width) => sum + width, 0.5)
}

/**
 * An amount on its own line, in font size `most`. If the amount is too wide for the line, it has the largest size that fits.
 */
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
