import type { SPENT_ON } from '#server/advisor/questions/keywords/intents.ts'
import type { Intent } from '#server/advisor/questions/keywords/intents.ts'

/**
 * The words by which a language asks for something. A word stands for all that begin with it; '…' stands for anything
 * between two of them. Accents, capitals and the forms of Arabic letters make no difference.
 */
export type Keywords = {
  intents: Readonly<Record<Intent, readonly string[]>>
  categories: Readonly<Record<(typeof SPENT_ON)[number], readonly string[]>>
  lastMonth: readonly string[]
  /** Days, weeks and years: of these no reply is made. */
  otherPeriods: readonly string[]
  /** Where whoever was paid is named: at the '…'. */
  payee: readonly string[]
  /** What stands there and is nobody: words of the language as a whole, in Chinese and Japanese anywhere. */
  nobody: readonly string[]
  /** The months as they stand after 'in', January first, where that is not how `Intl` writes them. */
  inMonth?: readonly string[]
}
