import { formatAmount, MINUS } from '#contract/money.ts'

/** Returns an amount in the form that programs read: '-1234.50'. */
export function plainAmount(amountMinor: number): string {
  return formatAmount(amountMinor, 'USD', { symbol: false }).replaceAll(',', '').replace(MINUS, '-')
}

/** The characters that XML 1.0 does not allow. */
const NOT_IN_XML = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu

/** Returns a text for an XML element: on one line, without forbidden characters, and cut to `most` characters. */
export function elementText(text: string, most: number): string {
  const line = text.replace(NOT_IN_XML, '').replaceAll(/\s+/g, ' ').trim()
  return Array.from(line).slice(0, most).join('').trim()
}

/** Returns an element's field, or no field for an empty text. OFX and camt refuse empty elements. */
export const unlessEmpty = <Name extends string>(name: Name, text: string): Partial<Record<Name, string>> =>
  text === '' ? {} : ({ [name]: text } as Record<Name, string>)
