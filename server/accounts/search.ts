import { amountsIn } from '#contract/amounts.ts'
import type { TextCode } from '#contract/texts.ts'
import { LABEL_CODES, METHOD_CODES } from '#contract/wording.ts'
import type { SearchReading } from '#server/ledger/statement.ts'
import type { Translator } from '#server/platform/translations.ts'

/** Unicode's isolates, with which some languages keep a card's digits in order: nobody types them. */
const ISOLATES = /[\u2066-\u2069]/g

/**
 * What a searched text means in the language a customer reads: the words of each code as their screens show them, and the
 * amounts that it may be there. The ledger keeps codes, so nothing is kept in any language.
 */
export function readSearch({ language, textOf }: Translator, q: string): SearchReading {
  const wordsOf = <Table extends 'label' | 'method'>(table: Table, codes: readonly TextCode<Table>[]) =>
    Object.fromEntries(
      // The parameter stands for itself, so that what is said before it can be told from it.
      codes.map((code) => [code, textOf(table, code, { lastFour: '{lastFour}' }).replace(ISOLATES, '')]),
    ) as Record<TextCode<Table>, string>
  return {
    labels: wordsOf('label', LABEL_CODES),
    methods: wordsOf('method', METHOD_CODES),
    amountsMinor: amountsIn(q, language),
  }
}
