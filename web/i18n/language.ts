import { i18n } from '@lingui/core'
import { type Language, LANGUAGES } from '#contract/languages.ts'
import type { Messages } from '#locales/catalog.ts'

/** Each language is fetched when it is first spoken. */
const CATALOGS = import.meta.glob<{ messages: Messages }>('/locales/*.po')

/** Speaks a language from now on, on the whole page. Throws where its texts cannot be fetched. */
export async function speak(language: Language): Promise<void> {
  const load = CATALOGS[`/locales/${language}.po`]
  if (!load) throw new Error(`There are no texts in ${language}`)
  const { messages } = await load()
  i18n.loadAndActivate({ locale: language, messages })
  document.documentElement.lang = language
  document.documentElement.dir = LANGUAGES[language].direction
}
