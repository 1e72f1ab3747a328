import { type TextOf, TEXTS } from '#contract/texts.ts'
import { methodTextIn, nameTextIn } from '#contract/code-texts.ts'
import type { LineMethod, LineName } from '#contract/line-texts.ts'

const inEnglish: TextOf = (table, code, params = {}) =>
  (TEXTS[table][code] as string).replace(
    /\{(\w+)\}/g,
    (_, name: string) => (params as Record<string, string>)[name] ?? '',
  )

/** These functions translate the codes of statement lines into English. */
export const nameInWords = (name: LineName) => nameTextIn(inEnglish, name)
export const methodInWords = (method: LineMethod | null) => methodTextIn(inEnglish, method)
