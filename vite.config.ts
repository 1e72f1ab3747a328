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
  },
  server: {
    watch: { ignored: ['**/.data/**', '**/dist/**', '**/server/**', '**/test-results/**'] },
    proxy: {
      '/api': api,
    },
  },
})
