import { type Asset, ASSETS, formatAmount, parseAmount } from '#contract/money.ts'
import { withEnglishMarks, withOwnMarks } from '#web/i18n/amount-marks.ts'

/** What stands in an amount field. Amounts: minor units of the asset. */
export type AmountReading =
  | { state: 'empty' }
  | { state: 'invalid' }
  | { state: 'too_large' }
  | { state: 'read'; amountMinor: number }

/**
 * Reads the text of an amount field, in the marks of the language in force. Zero is 'invalid': nothing that is asked for
 * moves no money.
 */
export function readAmount(text: string, asset: Asset = 'USD'): AmountReading {
  if (text.trim() === '') return { state: 'empty' }
  const trimmed = withEnglishMarks(text.trim())
  const amountMinor = parseAmount(trimmed, asset)
  if (amountMinor === 0) return { state: 'invalid' }
  if (amountMinor !== null) return { state: 'read', amountMinor }
  // Grouped as it should be and yet not read: then it is only the size that is wrong.
  const plain = trimmed.replaceAll(',', '')
  const grouped = trimmed === plain || trimmed === groupDigits(plain)
  return grouped && wellFormed(plain, asset) ? { state: 'too_large' } : { state: 'invalid' }
}

/** An amount in minor units of the asset; 0 where the text is none. */
export function readMinor(text: string, asset: Asset = 'USD'): number {
  const reading = readAmount(text, asset)
  return reading.state === 'read' ? reading.amountMinor : 0
}

/** How a field shows an amount once it is left: '12.5' becomes '12.50'. What is no amount stays as it was typed. */
export function wholeAmount(text: string, asset: Asset = 'USD'): string {
  const reading = readAmount(text, asset)
  return reading.state === 'read' ? amountText(reading.amountMinor, asset) : text
}

/** Money has all its decimals; where there are more, as in coins, only those that say something are written. */
const MONEY_DECIMALS = 2

/** An amount as it would be typed in the language in force: '12.50', or '0.045' of a coin. */
export function amountText(amountMinor: number, asset: Asset = 'USD'): string {
  const text = formatAmount(amountMinor, asset, { symbol: false })
  return withOwnMarks(ASSETS[asset].decimals > MONEY_DECIMALS ? text.replace(/\.?0+$/, '') : text)
}

function wellFormed(plain: string, asset: Asset): boolean {
  const { decimals } = ASSETS[asset]
  return new RegExp(decimals === 0 ? '^\\d*$' : `^\\d*(\\.\\d{0,${decimals}})?$`).test(plain)
}

/** Parts thousands and drops leading zeros; what comes after the point is left as it was typed. */
export function groupDigits(plain: string): string {
  const [whole = '', fraction] = plain.split('.')
  const bare = whole.replace(/^0+(?=\d)/, '') || (fraction === undefined ? '' : '0')
  const grouped = bare.replace(/\B(?=(\d{3})+$)/g, ',')
  return fraction === undefined ? grouped : `${grouped}.${fraction}`
}

/** The part of `next` that is not in `before`, assuming one edit, and what is around it. */
function difference(before: string, next: string) {
  const shorter = Math.min(before.length, next.length)
  let start = 0
  while (start < shorter && before[start] === next[start]) start++
  let end = 0
  while (end < shorter - start && before[before.length - 1 - end] === next[next.length - 1 - end]) end++
  return {
    start,
    inserted: next.slice(start, next.length - end),
    removed: before.slice(start, before.length - end),
    rest: next.slice(next.length - end),
  }
}

type Edit = { text: string; caret: number }

/** The same as `editEnglish`, in the marks of the language in force. */
export function editAmount(before: string, next: string, caret: number, asset: Asset = 'USD'): Edit {
  // A typed space says nothing, and in French would be taken for the mark between thousands.
  if (next.length === before.length + 1 && /\s/.test(next[caret - 1] ?? '')) return { text: before, caret: caret - 1 }
  const edit = editEnglish(withEnglishMarks(before), withEnglishMarks(next), caret, asset)
  return { ...edit, text: withOwnMarks(edit.text) }
}

/**
 * What an amount field shows after one edit: `before` became `next` with the caret at `caret`.
 * Typed characters that cannot belong to an amount are dropped; a typed comma is taken as the decimal point, which
 * is the only one some keyboards offer. Something pasted is accepted whole, with its currency sign and spaces taken
 * off, or left to be seen as it is: a wrong paste must never turn quietly into another amount.
 */
function editEnglish(before: string, next: string, caret: number, asset: Asset): Edit {
  const { start, inserted, removed, rest } = difference(before, next)
  const plainBefore = before.replaceAll(',', '')

  if (inserted.length > 1 || !wellFormed(plainBefore, asset)) {
    const cleaned = next.replace(/^\s*\$\s*/, '').replace(/\s/g, '')
    if (cleaned !== '' && parseAmount(cleaned, asset) === null) return { text: next, caret }
    const text = groupDigits(cleaned.replaceAll(',', ''))
    return { text, caret: inserted.length > 1 && rest === '' ? text.length : Math.min(caret, text.length) }
  }

  let head = next.slice(0, start)
  if (inserted === '' && removed === ',') head = head.slice(0, -1)
  const typed = inserted === ',' ? '.' : inserted
  const acceptable = typed === '' || /\d/.test(typed) || (typed === '.' && !`${head}${rest}`.includes('.'))
  const tail = rest.replaceAll(',', '')
  const plain = `${head.replaceAll(',', '')}${acceptable ? typed : ''}${tail}`
  const kept = wellFormed(plain, asset) ? plain : plainBefore
  const text = groupDigits(kept)
  return { text, caret: caretWith(text, tail.length) }
}

/** The place in `text` with `after` characters of digits and point to its right. */
function caretWith(text: string, after: number): number {
  let caret = text.length
  for (let left = after; left > 0 && caret > 0; caret--) {
    if (text[caret - 1] !== ',') left--
  }
  return caret
}
