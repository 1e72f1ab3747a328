import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { type AmountReading, readAmount as readIn } from '#contract/amounts.ts'
import type { ErrorCode } from '#contract/errors.ts'
import { type Asset, ASSETS } from '#contract/money.ts'
import { money, moneyParts } from '#web/i18n/formats.ts'
import type { Fault } from '#web/lib/form.ts'

/**
 * Reads the text of an amount field, in the language in force. Zero is 'invalid': nothing that is asked for moves no
 * money.
 */
export function readAmount(text: string, asset: Asset = 'USD'): AmountReading {
  const reading = readIn(text, { language: i18n.locale, asset })
  return reading.state === 'read' && reading.amountMinor === 0 ? { state: 'invalid' } : reading
}

/** An amount in minor units of the asset; 0 where the text is none. */
export function readMinor(text: string, asset: Asset = 'USD'): number {
  const reading = readAmount(text, asset)
  return reading.state === 'read' ? reading.amountMinor : 0
}

type FaultCodes = { asset?: Asset; empty?: ErrorCode; tooLarge?: ErrorCode; invalidText?: string }

/** What is wrong with the text of an amount field. `invalidText`: what the field says where the text is no amount, beside the toast. */
export function amountFaults<Field>(
  field: Field,
  text: string,
  { asset = 'USD', empty = 'amount_invalid', tooLarge = 'amount_too_large', invalidText }: FaultCodes = {},
): Fault<Field>[] {
  const { state } = readAmount(text, asset)
  if (state === 'read') return []
  if (state === 'empty') return [{ field, code: empty, text: t`Enter an amount` }]
  if (state === 'too_large') return [{ field, code: tooLarge }]
  return [{ field, code: 'amount_invalid', ...(invalidText && { text: invalidText }) }]
}

/** Money has all its decimals; where there are more, as in coins, only those that say something are written. */
const MONEY_DECIMALS = 2

/**
 * An amount as it would be typed in the language in force: '12.50', or '0.045' of a coin. Thousands are parted unless
 * told. `readAmount` reads the same amount in it, and no other.
 */
export function amountText(amountMinor: number, asset: Asset = 'USD', { isGrouped = true } = {}): string {
  // '1,000' of a coin could be 1 as well as 1000, '1,000.00' could not.
  const isLarge = amountMinor >= 1000 * 10 ** ASSETS[asset].decimals
  const least = ASSETS[asset].decimals > MONEY_DECIMALS && !isLarge ? 0 : MONEY_DECIMALS
  const written = moneyParts(amountMinor, asset, { symbol: false, sign: 'never' })
  const fraction = written.find(({ type }) => type === 'fraction')?.value ?? ''
  const said = fraction.slice(0, Math.max(least, fraction.replace(/0+$/, '').length))
  return written
    .filter(({ type }) => type === 'integer' || (type === 'group' && isGrouped) || (type === 'decimal' && said !== ''))
    .map(({ value }) => value)
    .concat(said)
    .join('')
}

/** How a field shows an amount once it is left: '12.5' becomes '12.50'. What is no amount stays as it was typed. */
export function wholeAmount(text: string, asset: Asset = 'USD'): string {
  const minor = readMinor(text, asset)
  return minor === 0 ? text : amountText(minor, asset)
}

/** How a field shows what the bank wrote in it while it is changed: without marks that nobody typed. */
export function plainAmount(text: string, asset: Asset = 'USD'): string {
  const minor = readMinor(text, asset)
  return text === amountText(minor, asset) ? amountText(minor, asset, { isGrouped: false }) : text
}

/** An amount as it is said of a field: with its symbol. */
export function saidAmount(amountMinor: number, asset: Asset): string {
  const { decimals, symbol } = ASSETS[asset]
  return decimals > MONEY_DECIMALS ? `${symbol}${amountText(amountMinor, asset)}` : money(amountMinor, asset)
}
