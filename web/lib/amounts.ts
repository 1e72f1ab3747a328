import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { type AmountReading, readAmount as readIn } from '#contract/amounts.ts'
import type { ErrorCode } from '#contract/errors.ts'
import { type Asset, ASSETS } from '#contract/money.ts'
import { money, moneyParts } from '#web/i18n/formats.ts'
import type { FormError } from '#web/lib/form.ts'

/** Reads the text of an amount field in the current language. Zero is 'invalid', because no action accepts it. */
export function parseAmount(text: string, asset: Asset = 'USD'): AmountReading {
  const reading = readIn(text, { language: i18n.locale, asset })
  return reading.state === 'read' && reading.amountMinor === 0 ? { state: 'invalid' } : reading
}

/** Returns an amount in minor units of the asset; 0 if the text is not an amount. */
export function parseMinor(text: string, asset: Asset = 'USD'): number {
  const reading = parseAmount(text, asset)
  return reading.state === 'read' ? reading.amountMinor : 0
}

type FaultCodes = { asset?: Asset; empty?: ErrorCode; tooLarge?: ErrorCode; invalidText?: string }

/**
 * Returns the errors of an amount field. `invalidText` is shown under the field if the text is not an amount, in addition to
 * the toast.
 */
export function amountErrors<Field>(
  field: Field,
  text: string,
  { asset = 'USD', empty = 'amount_invalid', tooLarge = 'amount_too_large', invalidText }: FaultCodes = {},
): FormError<Field>[] {
  const { state } = parseAmount(text, asset)
  if (state === 'read') return []
  if (state === 'empty') return [{ field, code: empty, text: t`Enter an amount` }]
  if (state === 'too_large') return [{ field, code: tooLarge }]
  return [{ field, code: 'amount_invalid', ...(invalidText && { text: invalidText }) }]
}

/** Money is written with all its decimals. Assets with more decimals, such as coins, are written without trailing zeros. */
const MONEY_DECIMALS = 2

/**
 * Returns an amount as it is typed in the current language: '12.50', or '0.045' for a coin. Thousands are grouped by default.
 * `parseAmount` reads exactly the same amount from the result.
 */
export function amountText(amountMinor: number, asset: Asset = 'USD', { isGrouped = true } = {}): string {
  // For a coin, '1,000' could mean 1 or 1000. '1,000.00' has one meaning.
  const isLarge = amountMinor >= 1000 * 10 ** ASSETS[asset].decimals
  const minDecimals = ASSETS[asset].decimals > MONEY_DECIMALS && !isLarge ? 0 : MONEY_DECIMALS
  const parts = moneyParts(amountMinor, asset, { symbol: false, sign: 'never' })
  const fraction = parts.find(({ type }) => type === 'fraction')?.value ?? ''
  const decimals = fraction.slice(0, Math.max(minDecimals, fraction.replace(/0+$/, '').length))
  return parts
    .filter(
      ({ type }) => type === 'integer' || (type === 'group' && isGrouped) || (type === 'decimal' && decimals !== ''),
    )
    .map(({ value }) => value)
    .concat(decimals)
    .join('')
}

/**
 * Returns the text that an amount field shows after it loses the focus: '12.5' becomes '12.50'. A text that is not an amount
 * stays unchanged.
 */
export function completeAmount(text: string, asset: Asset = 'USD'): string {
  const minor = parseMinor(text, asset)
  return minor === 0 ? text : amountText(minor, asset)
}

/** Returns the text that an amount field shows while it is edited: without group marks that the customer did not type. */
export function ungroupAmount(text: string, asset: Asset = 'USD'): string {
  const minor = parseMinor(text, asset)
  return text === amountText(minor, asset) ? amountText(minor, asset, { isGrouped: false }) : text
}

/** Returns an amount with its symbol, in the style of an amount field. */
export function amountWithSymbol(amountMinor: number, asset: Asset): string {
  const { decimals, symbol } = ASSETS[asset]
  return decimals > MONEY_DECIMALS ? `${symbol}${amountText(amountMinor, asset)}` : money(amountMinor, asset)
}
