import { methodSaid, nameSaid, textsSaid } from '#contract/texts.ts'
import type { LineMethod, LineName } from '#contract/wording.ts'

const inEnglish = textsSaid((_id, params, { message }) =>
  message.replace(/\{(\w+)\}/g, (_, name: string) => (params as Record<string, string>)[name] ?? ''),
)

/** What a person reads in English, of the codes that the bank answers. */
export const nameInWords = (name: LineName) => nameSaid(inEnglish, name)
export const methodInWords = (method: LineMethod | null) => methodSaid(inEnglish, method)
