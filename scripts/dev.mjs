// @ts-check
import { once } from 'node:events'
import { createServer } from 'node:net'
import { runNode } from './run.mjs'

/** Where Vite is found, unless something else is there. */
const PAGE_PORT = 5173

/**
 * Serves the web app through Vite and the bank beside it, each reloading when its own files change. Vite's address is
 * where people reach the bank: it refuses pages of other origins, and browsers bind passkeys to the page's.
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
 * Answers `wanted` if that port is free (0 stands for any port), and null if it is taken.
 * @param {number} wanted
 */
async function freePort(wanted) {
  const probe = createServer().listen(wanted, 'localhost')
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
