import { formatAmount, MINUS } from '#contract/money.ts'

/** An amount as programs read it: '-1234.50'. */
export function plainAmount(amountMinor: number): string {
  return formatAmount(amountMinor, 'USD', { symbol: false }).replaceAll(',', '').replace(MINUS, '-')
}

/** What XML 1.0 has no place for. */
const NOT_IN_XML = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu

/** A text as an element of XML holds it: at most so many characters, on one line, with nothing that XML forbids. */
export function elementText(text: string, most: number): string {
  const line = text.replace(NOT_IN_XML, '').replaceAll(/\s+/g, ' ').trim()
  return Array.from(line).slice(0, most).join('').trim()
}

/** An element's field, left out where there is nothing to say: both formats refuse empty ones. */
export const unlessEmpty = <Name extends string>(name: Name, text: string): Partial<Record<Name, string>> =>
  text === '' ? {} : ({ [name]: text } as Record<Name, string>)
