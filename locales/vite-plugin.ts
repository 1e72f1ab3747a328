import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import lingui from '@lingui/babel-plugin-lingui-macro'
import babel, { defineRolldownBabelPreset } from '@rolldown/plugin-babel'
import type { Plugin } from 'vite'
import type { TextTable } from '#contract/texts.ts'
import { type Messages, messagesByFile, messagesOf } from './catalog.ts'
import { pseudoText } from './pseudo.ts'

const ROOT = join(import.meta.dirname, '..')

/** The folders whose texts the web app shows. The texts of mails and receipts stay on the server. */
const SHOWN = ['web/', 'contract/']

/** Turns Lingui's macros into calls. */
const macros = () =>
  babel({
    presets: [
      defineRolldownBabelPreset({
        preset: () => ({ plugins: [lingui] }),
        rolldown: { filter: { code: /@lingui\/(core|react)\/macro/ } },
      }),
    ],
  })

/** Returns a module with JSON in a string, because browsers parse it faster than an object literal. */
const moduleOf = (messages: Messages) => ({
  code: `export const messages = JSON.parse(${JSON.stringify(JSON.stringify(messages))})`,
  map: null,
  moduleType: 'js' as const,
})

/**
 * The help center's texts are a separate chunk: 'de.po?articles' contains them, and 'de.po' contains all other texts
 * (docs/decisions/0114).
 */
const ARTICLES = '?articles'
const isOfArticle = (id: string): boolean => id.startsWith('help.') || id.startsWith('help_step.')

/** Makes a module of each part of a catalog. Its export `messages` has the messages by id. */
const catalogs = (): Plugin => ({
  name: 'catalogs',
  transform: {
    filter: { id: /\.po(\?articles)?$/ },
    handler(po, file) {
      const isArticles = file.endsWith(ARTICLES)
      return moduleOf(
        Object.fromEntries(Object.entries(messagesOf(po, SHOWN)).filter(([id]) => isOfArticle(id) === isArticles)),
      )
    },
  },
})

const ENGLISH = join(import.meta.dirname, 'en.po')

/**
 * `TABLES` is the file with the texts that the server and the web app look up by a code. `SAID` contains the files of the web
 * app that show these texts, each with the tables that it uses.
 */
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

/**
 * Returns the message ids of the refusals that a file names, because that file shows their texts. For other refusals, the bank
 * sends the text.
 */
const codesIn = (code: string) =>
  new Set([...code.matchAll(/['"]([a-z]+(?:_[a-z]+)*)['"]/g)].map(([, name]) => `error.${name}`))

/**
 * Adds to each file its own English texts, so that English needs no catalog. A screen that checks a rule of the contract before
 * it sends a request gets the text of that refusal too.
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
        // The import is added at the end, so that the line numbers above do not change.
        const added = `\nimport { ENGLISH as itsTexts } from '#web/i18n/english.ts'\nObject.assign(itsTexts, ${JSON.stringify(own)})`
        return { code: code + added, map: null }
      },
    },
  }
}

const PSEUDO = 'virtual:pseudo-texts'

/** Makes a module of the pseudo texts: English texts that look foreign. */
const pseudo = (): Plugin => ({
  name: 'pseudo-texts',
  resolveId: { filter: { id: /^virtual:pseudo-texts$/ }, handler: () => `\0${PSEUDO}` },
  load: {
    filter: { id: /^\0virtual:pseudo-texts$/ },
    handler: () => moduleOf(messagesOf(readFileSync(ENGLISH, 'utf8'), SHOWN, pseudoText)),
  },
})

/** Returns the Vite plugins for translated texts. */
export const translationPlugins = () => [macros(), catalogs(), english(), pseudo()]
