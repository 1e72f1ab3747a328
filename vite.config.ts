import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { translationPlugins } from './locales/vite-plugin.ts'
import { fonts } from './vite/fonts.ts'
import { noZod } from './vite/no-zod.ts'
import { worker } from './web/worker/build.ts'

/** The bank's address while Vite serves the web app. */
const api = process.env['ALDER_API'] ?? 'http://localhost:3000'

const LIBRARY = /\/node_modules\//
const OURS = /\/(contract|locales|web\/(i18n|lib|ui))\//

/** The icons of payments, by category or merchant. */
const CATEGORY_ICONS =
  /\/category-icon\.tsx$|\/merchant-marks?\.(tsx|svg)$|\/lucide-react\/.*\/(arrow-down-left|arrow-up-right|banknote|bitcoin|clapperboard|coffee|croissant|handshake|landmark|receipt-text|shopping-bag|shopping-basket|trending-up|utensils)\./

/** The limits for shared chunks: modules that at least nine chunks use, each of at most 8,000 bytes. */
const SMALL = { minShareCount: 9, maxModuleSize: 8_000 }

export default defineConfig({
  publicDir: 'web/public',
  plugins: [translationPlugins(), fonts(), react(), tailwindcss(), noZod(), worker()],
  build: {
    outDir: 'dist',
    // The oldest browsers that have light-dark(), AbortSignal.any() and Intl.Segmenter (docs/decisions/0361).
    target: ['chrome123', 'edge123', 'firefox128', 'safari17.5'],
    // vite/pages.ts reads the manifest to find the assets that each page needs at once.
    manifest: true,
    // Assets are not inlined as data: addresses, so that the content security policy can stay strict.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // The duration of each plugin is of no use to the operator who starts a bank.
      checks: { bundlerTimings: false },
      output: {
        // Without the prefix, the help center's texts of a language would have the same name as its other texts.
        chunkFileNames: ({ facadeModuleId }) =>
          `assets/${facadeModuleId?.endsWith('.po?articles') ? 'articles-' : ''}[name]-[hash].js`,
        // The code that every page needs is two chunks: the project's own and the libraries. Small modules that many screens
        // share are combined, because each request costs a slow connection more than a kilobyte. Modules that only some screens
        // need are in separate groups. Each group imports only the groups above it, so that no two chunks import each other.
        codeSplitting: {
          groups: [
            { name: 'first-libraries', tags: ['$initial'], test: LIBRARY },
            { name: 'first', tags: ['$initial'] },
            // An icon for each category: only screens that show transactions use them.
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
            // The form library is as large as a screen, and many screens have no form.
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
