import lingui from '@lingui/babel-plugin-lingui-macro'
import babel, { defineRolldownBabelPreset } from '@rolldown/plugin-babel'
import type { Plugin } from 'vite'
import { messagesOf } from './catalog.ts'

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

/** Makes a module of a catalog: `messages`, by id. */
const catalogs = (): Plugin => ({
  name: 'catalogs',
  transform: {
    filter: { id: /\.po$/ },
    handler: (po) => ({
      // A string that is parsed is read faster than an object that is written out.
      code: `export const messages = JSON.parse(${JSON.stringify(JSON.stringify(messagesOf(po, SHOWN)))})`,
      map: null,
      moduleType: 'js',
    }),
  },
})

/** What Vite needs for texts that are translated. */
export const texts = () => [macros(), catalogs()]
