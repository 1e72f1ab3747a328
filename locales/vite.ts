import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import lingui from '@lingui/babel-plugin-lingui-macro'
import babel, { defineRolldownBabelPreset } from '@rolldown/plugin-babel'
import type { Plugin } from 'vite'
import type { TextTable } from '#contract/texts.ts'
import { type Messages, messagesByFile, messagesOf } from './catalog.ts'
import { pseudoText } from './pseudo.ts'

const ROOT = join(import.meta.dirname, '..')

/** What the web app shows. What mails and receipts say stays on the server. */
const SHOWN = ['web/', 'contract/']

/** Turns Lingui's macros into calls, in the files that use them. */
const macros = () =>
  babel({
    presets: [
      defineRolldownBabelPreset({
        preset: () => ({ plugins: [lingui] }),
        rolldown: { filter: { code: /@lingui\/(core|react)\/macro/ } },
      }),
    ],
  })

/** A string that is parsed is read faster than an object that is written out. */
const moduleOf = (messages: Messages) => ({
  code: `export const messages = JSON.parse(${JSON.stringify(JSON.stringify(messages))})`,
  map: null,
  moduleType: 'js' as const,
})

/** What only the help center shows is a part of its own: 'de.po?articles' has that, and 'de.po' all else (docs/decisions/0114). */
const ARTICLES = '?articles'
const isOfArticle = (id: string): boolean => id.startsWith('help.') || id.startsWith('help_step.')

/** Makes a module of each part of a catalog: `messages`, by id. */
const catalogs = (): Plugin => ({
  name: 'catalogs',
  transform: {
    filter: { id: /\.po(\?articles)?$/ },
    handler(po, file) {
      const wanted = file.endsWith(ARTICLES)
      return moduleOf(
        Object.fromEntries(Object.entries(messagesOf(po, SHOWN)).filter(([id]) => isOfArticle(id) === wanted)),
      )
    },
  },
})

const ENGLISH = join(import.meta.dirname, 'en.po')

/** Where the texts stand that both sides know by a code, and the files of the web that say them, each its own tables. */
const TABLES = 'contract/texts.ts'
const SAID: Record<string, readonly TextTable[]> = {
  'web/i18n/words.ts': ['category', 'transaction_status', 'label', 'method'],
  'web/i18n/notice-words.ts': ['notice', 'review_reason', 'decline_reason'],
  'web/i18n/security-words.ts': ['security_event', 'network_zone', 'device'],
  'web/i18n/dispute-words.ts': ['dispute_reason'],
  'web/i18n/document-words.ts': ['document_type', 'review_reason'],
  'web/help/shared/article-texts.ts': ['help'],
  'web/help/steps.ts': ['help_step'],
}

/** The ids of the refusals that a file names: it is the one that says them. Any other comes with its words from the bank. */
const codesIn = (code: string) =>
  new Set([...code.matchAll(/['"]([a-z]+(?:_[a-z]+)*)['"]/g)].map(([, name]) => `error.${name}`))

/**
 * Gives each file its own texts in English: who reads the bank in English waits for no catalog. A rule of the contract that a screen
 * checks before it asks brings the words of what it refuses.
 */
const english = (): Plugin => {
  let messages: ReturnType<typeof messagesByFile> = new Map()
  return {
    name: 'english-texts',
    buildStart() {
      messages = messagesByFile(readFileSync(ENGLISH, 'utf8'))
    },
    transform: {
      filter: { id: /\/(?:web|contract)\/[^?]+\.tsx?$/ },
      handler(code, id) {
        const file = relative(ROOT, id)
        const said = Object.entries(messages.get(TABLES) ?? {}).filter(([key]) =>
          SAID[file]?.some((table) => key.startsWith(`${table}.`)),
        )
        const refused = Object.entries(messages.get(TABLES) ?? {}).filter(([key]) => codesIn(code).has(key))
        const own = { ...messages.get(file), ...Object.fromEntries([...said, ...refused]) }
        if (Object.keys(own).length === 0) return null
        // At the end, so that the lines above stay where they are.
        const added = `\nimport { ENGLISH as itsTexts } from '#web/i18n/english.ts'\nObject.assign(itsTexts, ${JSON.stringify(own)})`
        return { code: code + added, map: null }
      },
    },
  }
}

const PSEUDO = 'virtual:pseudo-texts'

/** The same of English texts that only look foreign. */
const pseudo = (): Plugin => ({
  name: 'pseudo-texts',
  resolveId: { filter: { id: /^virtual:pseudo-texts$/ }, handler: () => `\0${PSEUDO}` },
  load: {
    filter: { id: /^\0virtual:pseudo-texts$/ },
    handler: () => moduleOf(messagesOf(readFileSync(ENGLISH, 'utf8'), SHOWN, pseudoText)),
  },
})

/** What Vite needs for texts that are translated. */
export const texts = () => [macros(), catalogs(), english(), pseudo()]
