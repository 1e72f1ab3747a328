import { once } from 'node:events'
import { createServer } from 'node:net'
import { runNode } from './run.mjs'

/** Serves the web app through Vite and the bank beside it, each reloading when its own files change. */
export async function dev() {
  const port = process.env.PORT || String(await freePort())
  const env = { ...process.env, PORT: port, ALDER_API: `http://localhost:${port}` }
  const codes = await Promise.all([
    runNode(['--watch', '--watch-preserve-output', 'server/main.ts'], { env }),
    runNode(['node_modules/vite/bin/vite.js'], { env }),
  ])
  return Math.max(...codes)
}

async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address()
  probe.close()
  await once(probe, 'close')
  return port
}
