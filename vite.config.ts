import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { texts } from './locales/vite.ts'
import { fonts } from './vite/fonts.ts'
import { noSchemas } from './vite/no-schemas.ts'
import { worker } from './web/worker/build.ts'

/** Where the bank answers while the web app is served by Vite. */
const api = process.env['ALDER_API'] ?? 'http://localhost:3000'

const LIBRARY = /\/node_modules\//
const OURS = /\/(contract|locales|web\/(i18n|lib|ui))\//

/** The pictures that nothing but a payment has: of its category, or its merchant. */
const CATEGORY_ICONS =
  /\/category-icon\.tsx$|\/merchant-marks?\.(tsx|svg)$|\/lucide-react\/.*\/(arrow-down-left|arrow-up-right|banknote|bitcoin|clapperboard|coffee|croissant|handshake|landmark|receipt-text|shopping-bag|shopping-basket|trending-up|utensils)\./

/** What is put together: modules of more than one screen, each of at most so many bytes. */
const SMALL = { minShareCount: 9, maxModuleSize: 8_000 }

export default defineConfig({
  publicDir: 'web/public',
  plugins: [texts(), fonts(), react(), tailwindcss(), noSchemas(), worker()],
  build: {
    outDir: 'dist',
    // The oldest browsers that have light-dark(), AbortSignal.any() and Intl.Segmenter (docs/decisions/0361).
    target: ['chrome123', 'edge123', 'firefox128', 'safari17.5'],
    // What each page needs at once is read from it (vite/pages.ts).
    manifest: true,
    // Nothing is inlined as data: addresses, so that the content policy can stay strict.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // How long each plugin took is nothing that whoever starts a bank has to read.
      checks: { bundlerTimings: false },
      output: {
        // The part of a language that help alone shows would else be called what the rest of the language is.
        chunkFileNames: ({ facadeModuleId }) =>
          `assets/${facadeModuleId?.endsWith('.po?articles') ? 'articles-' : ''}[name]-[hash].js`,
        // What every page needs is one chunk for what is ours and one for what is not. Small modules that many screens
        // share are put together, each kind apart that only some of them need: each request costs a slow line more than
        // a kilobyte. Each group imports only those above it, so that none waits for another that waits for it.
        codeSplitting: {
          groups: [
            { name: 'first-libraries', tags: ['$initial'], test: LIBRARY },
            { name: 'first', tags: ['$initial'] },
            // A picture for each thing that money goes on: only screens that show transactions have a use for them.
            { name: 'categories', test: CATEGORY_ICONS, includeDependenciesRecursively: false },
            { name: 'amounts', test: /\/(amounts|amount-field)\.tsx?$/, includeDependenciesRecursively: false },
            {
              name: 'shared',
              test: new RegExp(`${LIBRARY.source}(?!react-hook-form)|${OURS.source}(?!form\\.ts$)`),
              ...SMALL,
            },
            {
              name: 'people',
              test: /\/(contract\/initials|web\/lib\/(address|contacts)|web\/ui\/email-text)\.tsx?$/,
              includeDependenciesRecursively: false,
            },
            { name: 'icons', test: /\/lucide-react\//, minShareCount: 2 },
            // The form library is as heavy as a screen, and many screens have no form.
            { name: 'form', test: /\/react-hook-form\/|\/web\/lib\/form\.ts$/ },
            {
              name: 'transactions',
              test: /\/web\/accounts\/(?!queries|shared\/goal-)/,
              ...SMALL,
              minShareCount: 3,
              includeDependenciesRecursively: false,
            },
          ],
        },
      },
    },
  },
  server: {
    watch: { ignored: ['**/.data/**', '**/dist/**', '**/server/**', '**/test-results/**'] },
    proxy: {
      '/api': api,
      '/healthz': api,
    },
  },
})
