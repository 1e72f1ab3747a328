import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** Where the bank answers while the web app is served by Vite. */
const api = process.env['ALDER_API'] ?? 'http://localhost:3000'

export default defineConfig({
  publicDir: 'web/public',
  plugins: [react(), tailwindcss()],
  build: {
    outDir: 'dist',
    // Nothing is inlined as data: addresses, so that the content policy can stay strict.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // Small modules that several screens share are put together: a screen takes a dozen requests instead of forty.
        codeSplitting: {
          groups: [
            {
              name: 'shared',
              minShareCount: 2,
              maxModuleSize: 6_000,
              entriesAware: true,
              entriesAwareMergeThreshold: 30_000,
            },
          ],
        },
        // A group's own name lists every screen that uses it.
        chunkFileNames: ({ name }) => `assets/${name.startsWith('shared') ? 'shared' : '[name]'}-[hash].js`,
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
