import { type TextOf, TEXTS } from '#contract/texts.ts'
import { methodSaid, nameSaid } from '#contract/said.ts'
import type { LineMethod, LineName } from '#contract/wording.ts'

const inEnglish: TextOf = (table, code, params = {}) =>
  (TEXTS[table][code] as string).replace(
    /\{(\w+)\}/g,
    (_, name: string) => (params as Record<string, string>)[name] ?? '',
  )

/** What a person reads in English, of the codes that the bank answers. */
export const nameInWords = (name: LineName) => nameSaid(inEnglish, name)
export const methodInWords = (method: LineMethod | null) => methodSaid(inEnglish, method)
