import type { ErrorCode } from '#contract/errors.ts'
import { readAmount } from '#web/ui/amount-text.ts'

/** What is wrong with a limit that was typed; null where nothing is. `mostMinor`: the bank's own. */
export function limitFault(text: string, mostMinor: number): ErrorCode | null {
  const reading = readAmount(text)
  if (reading.state === 'read') return reading.amountMinor > mostMinor ? 'card_limit_too_high' : null
  return reading.state === 'too_large' ? 'card_limit_too_high' : 'amount_invalid'
}

/** The amount in a text that was checked. */
export function minorOf(text: string): number {
  const reading = readAmount(text)
  return reading.state === 'read' ? reading.amountMinor : 0
}
