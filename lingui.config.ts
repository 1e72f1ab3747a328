import babel from '@lingui/cli/api/extractors/babel'
import { defineConfig } from '@lingui/conf'
import { formatter } from '@lingui/format-po'
import { LANGUAGE_CODES, SOURCE_LANGUAGE } from '#contract/languages.ts'
import { tables } from './locales/tables.ts'

/** The folders with texts, and the catalogs with their translations: one file for each language. */
export default defineConfig({
  sourceLocale: SOURCE_LANGUAGE,
  locales: LANGUAGE_CODES,
  catalogs: [
    { path: '<rootDir>/locales/{locale}', include: ['web', 'server', 'contract/texts.ts'], exclude: ['**/*.test.*'] },
  ],
  format: formatter({ lineNumbers: false, printPlaceholdersInComments: false }),
  extractors: [tables, babel],
  orderBy: 'origin',
})
