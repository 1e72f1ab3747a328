// @ts-check
import { once } from 'node:events'
import { createServer } from 'node:net'
import { runNode } from './run.mjs'

/** Vite's port, if it is free. */
const PAGE_PORT = 5173

/**
 * Serves the web app through Vite and starts the bank beside it. Each reloads when its own files change. The bank takes Vite's
 * address as its own address, because it refuses pages of other origins and browsers bind passkeys to the page's origin.
 */
export async function dev() {
  const port = process.env['PORT'] || String(await freePort(0))
  const pagePort = String((await freePort(PAGE_PORT)) ?? (await freePort(0)))
  const PUBLIC_URL = process.env['PUBLIC_URL'] || `http://localhost:${pagePort}`
  const env = { ...process.env, PORT: port, PUBLIC_URL, ALDER_API: `http://localhost:${port}` }
  const codes = await Promise.all([
    runNode(['--watch', '--watch-preserve-output', 'server/boot/main.ts'], { env }),
    runNode(['node_modules/vite/bin/vite.js', '--port', pagePort, '--strictPort'], { env }),
  ])
  return Math.max(...codes)
}

/**
 * Returns `preferredPort` if it is free, or null if it is in use. 0 requests any free port.
 * @param {number} preferredPort
 */
async function freePort(preferredPort) {
  const probe = createServer().listen(preferredPort, 'localhost')
  try {
    await once(probe, 'listening')
  } catch {
    return null
  }
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  return address !== null && typeof address === 'object' ? address.port : null
}
