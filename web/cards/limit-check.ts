import type { ErrorCode } from '#contract/errors.ts'
import { amountFaults, readMinor } from '#web/lib/amounts.ts'

/** What is wrong with a limit that was typed; null where nothing is. `mostMinor`: the bank's own. */
export function limitFault(text: string, mostMinor: number): ErrorCode | null {
  const [fault] = amountFaults('limit', text, { tooLarge: 'card_limit_too_high' })
  return fault?.code ?? (readMinor(text) > mostMinor ? 'card_limit_too_high' : null)
}
