import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { texts } from './locales/vite.ts'

/** Where the bank answers while the web app is served by Vite. */
const api = process.env['ALDER_API'] ?? 'http://localhost:3000'

/** Fails the build where chunks import each other in a circle: one would run before what it extends is there. */
const noCircles = (): Plugin => ({
  name: 'no-circles',
  generateBundle(_options, bundle) {
    const importsOf = (file: string) => {
      const chunk = bundle[file]
      return chunk?.type === 'chunk' ? chunk.imports : []
    }
    const follow = (file: string, path: readonly string[]): void => {
      if (path.includes(file)) this.error(`Chunks import each other: ${[...path, file].join(' -> ')}`)
      for (const next of importsOf(file)) follow(next, [...path, file])
    }
    for (const file of Object.keys(bundle)) follow(file, [])
  },
})

/** The passkeys' library comes when a passkey is used. */
const LIBRARY = /\/node_modules\/(?!@simplewebauthn)/

/** What is put together: modules of more than one screen, each of at most so many bytes. */
const SMALL = { minShareCount: 4, maxModuleSize: 6_000 }

export default defineConfig({
  publicDir: 'web/public',
  plugins: [texts(), react(), tailwindcss(), noCircles()],
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
            { name: 'libraries', test: LIBRARY, ...SMALL },
            { name: 'contract', test: /\/(contract|locales)\//, ...SMALL },
            { name: 'parts', test: /\/web\/(i18n|lib|ui)\//, ...SMALL },
          ],
        },
      },
    },
  },
  server: {
    watch: { ignored: ['**/.data/**', '**/dist/**', '**/server/**', '**/test-results/**'] },
    proxy: {
      '/api': api,
    },
  },
})
