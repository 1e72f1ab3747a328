import type { ExtractorType } from '@lingui/conf'
import { TEXTS } from '#contract/texts.ts'

const FILE = 'contract/texts.ts'

/** Finds the texts that both sides know by a code. */
export const tables: ExtractorType = {
  match: (file) => file.endsWith(FILE),
  extract: (_file, _code, found) => {
    // In the order of the tables: a catalog is sorted by where its texts stand.
    let line = 0
    for (const [table, texts] of Object.entries(TEXTS)) {
      for (const [code, message] of Object.entries(texts)) {
        line += 1
        found({ id: `${table}.${code}`, message, origin: [FILE, line] })
      }
    }
  },
}
