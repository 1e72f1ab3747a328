// @ts-check
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT, ProgramFailure, runNode, say } from './run.mjs'

/** All sources of the built web app. */
const SOURCES = ['web', 'contract', 'locales', 'vite', 'index.html', 'vite.config.ts', 'package-lock.json']
const STAMP = join(ROOT, 'dist', '.stamp')

/** Builds the web app into dist/, unless its build has the same sources. */
export async function buildWeb() {
  const digest = digestOfSources()
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === digest) return
  say('Building the web app.')
  const code = await runNode(['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn'], {
    stdio: ['ignore', process.stderr, process.stderr],
    env: { ...process.env, NODE_ENV: 'production' },
  })
  if (code !== 0) throw new ProgramFailure('The web app could not be built; Vite says why above.')
  const drawn = await runNode(['vite/prerender.ts'], {
    stdio: ['ignore', process.stderr, process.stderr],
    env: { ...process.env, NODE_ENV: 'production', NODE_NO_WARNINGS: '1' },
  })
  if (drawn !== 0) throw new ProgramFailure('The first screens could not be drawn; the build says why above.')
  writeFileSync(STAMP, digest)
}

function digestOfSources() {
  const hash = createHash('sha256')
  for (const file of SOURCES.flatMap(filesIn))
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(ROOT, file)))
      .update('\0')
  return hash.digest('hex')
}

/**
 * @param {string} path
 * @returns {string[]}
 */
function filesIn(path) {
  if (path.includes('.')) return [path]
  return readdirSync(join(ROOT, path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length + 1))
    .toSorted()
}
