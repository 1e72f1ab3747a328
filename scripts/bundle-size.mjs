// @ts-check
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './run.mjs'
import { buildWeb } from './web.mjs'

/**
 * The limits in bytes, gzipped: the JavaScript that every page needs, and the JavaScript that a single screen needs besides,
 * including the tab bar.
 */
const MAX_FIRST = 135 * 1024
const MAX_A_SCREEN = 57_000
/**
 * The largest number of scripts of a screen. A request costs a slow connection as much as 5 kB: six are in flight at a time,
 * and each takes 150 ms (decision 470).
 */
const MAX_REQUESTS = 24

/** Builds the web app, and fails if it is too heavy for a phone on a slow connection. */
export async function checkWeights() {
  await buildWeb()
  const { firstBytes, screens } = JSON.parse(readFileSync(join(ROOT, 'dist', 'pages.json'), 'utf8'))
  const tooHeavy = [
    { what: 'what every page loads', bytes: firstBytes, most: MAX_FIRST },
    ...Object.entries(screens).map(([path, { bytes }]) => ({ what: path, bytes, most: MAX_A_SCREEN })),
  ].filter(({ bytes, most }) => bytes > most)
  const tooMany = Object.entries(screens).filter(([, { scripts }]) => scripts.length > MAX_REQUESTS)
  const complaints = [
    ...tooHeavy.map(({ what, bytes, most }) => `${what}: ${bytes} bytes of scripts, ${most} at most`),
    ...tooMany.map(([path, { scripts }]) => `${path}: ${scripts.length} scripts of its own, ${MAX_REQUESTS} at most`),
  ]
  return { code: complaints.length === 0 ? 0 : 1, output: complaints.join('\n') }
}
