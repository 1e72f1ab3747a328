import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { texts } from './locales/vite.ts'
import { compressed } from './vite/compressed.ts'
import { fonts } from './vite/fonts.ts'
import { noCircles } from './vite/no-circles.ts'
import { noSchemas } from './vite/no-schemas.ts'
import { pages } from './vite/pages.ts'
import { worker } from './web/worker/build.ts'

/** Where the bank answers while the web app is served by Vite. */
const api = process.env['ALDER_API'] ?? 'http://localhost:3000'

/** The passkeys' library comes when a passkey is used, and few screens have something to turn on or off. */
const LIBRARY = /\/node_modules\/(?!@simplewebauthn|@radix-ui\/react-switch)/

/** What is put together: modules of more than one screen, each of at most so many bytes. */
const SMALL = { minShareCount: 8, maxModuleSize: 6_000 }

export default defineConfig({
  publicDir: 'web/public',
  plugins: [texts(), fonts(), react(), tailwindcss(), noCircles(), noSchemas(), pages(), compressed(), worker()],
  build: {
    outDir: 'dist',
    // Nothing is inlined as data: addresses, so that the content policy can stay strict.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // What every page needs is one chunk for what is ours and one for what is not. Small modules that several
        // screens share are put together: a screen takes a dozen requests instead of forty. Each group imports only
        // those above it, so that none waits for another that waits for it.
        codeSplitting: {
          groups: [
            { name: 'first-libraries', tags: ['$initial'], test: LIBRARY },
            { name: 'first', tags: ['$initial'] },
            // The form library is as heavy as a screen, and many screens have no form.
            { name: 'form', test: /\/react-hook-form\// },
            // A picture for each thing that money goes on: only screens that show transactions have a use for them.
            { name: 'categories', test: /\/category-icon\.tsx$/ },
            { name: 'libraries', test: LIBRARY, ...SMALL },
            { name: 'contract', test: /\/(contract|locales)\//, ...SMALL },
            { name: 'parts', test: /\/web\/(i18n|lib(?!\/form\.ts)|ui(?!\/switch\.tsx))\//, ...SMALL },
            {
              name: 'transactions',
              test: /\/web\/accounts\/(?!queries)/,
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
