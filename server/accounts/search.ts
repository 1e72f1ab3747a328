import { amountsIn } from '#contract/amounts.ts'
import type { TextCode } from '#contract/texts.ts'
import { LABEL_CODES, METHOD_CODES } from '#contract/line-texts.ts'
import type { SearchReading } from '#server/ledger/statement.ts'
import type { Translator } from '#server/platform/translations.ts'

/** Unicode's isolate characters. Some languages use them to keep a card's digits in order, but people do not type them. */
const ISOLATES = /[\u2066-\u2069]/g

/**
 * Returns the meanings of a searched text in the customer's language: the words of each code as screens show them, and the
 * amounts that the text may mean. The ledger stores codes, so no translated text is stored.
 */
export function readSearch({ language, textOf }: Translator, searchText: string): SearchReading {
  const wordsOf = <Table extends 'label' | 'method'>(table: Table, codes: readonly TextCode<Table>[]) =>
    Object.fromEntries(
      // A placeholder replaces the digits, so that the search can separate the words before the digits from the digits.
      codes.map((code) => [code, textOf(table, code, { lastFour: '{lastFour}' }).replace(ISOLATES, '')]),
    ) as Record<TextCode<Table>, string>
  return {
    labels: wordsOf('label', LABEL_CODES),
    methods: wordsOf('method', METHOD_CODES),
    amountsMinor: amountsIn(searchText, language),
  }
}
