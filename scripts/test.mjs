// @ts-check
import { accessSync, constants, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { findBrowser } from './browser.mjs'
import { countFailedChecks } from './check.mjs'
import { testPostgres } from './postgres.mjs'
import { captureNode, INSTALL_LIMIT_MS, installFromDebian, runNode, say } from './run.mjs'
import { testUpgrade } from './upgrade.mjs'
import { buildWeb } from './web.mjs'

/** Vitest's projects. The rows run in parallel, because tests in a browser spend most of their time waiting. */
const PROJECTS = [['web', 'server'], ['components']]

/**
 * Runs the checks, the tests on a real PostgreSQL, and the journeys in a real browser. These cover every effect of a change.
 */
export const test = () => prove()

/**
 * Runs all tests for a release: those of `test` at full strength, faults and attacks, every screen in large text, in Arabic and
 * in dark, every supported PostgreSQL, an upgrade from the last release, two banks that pay each other, Firefox and WebKit, and
 * Lighthouse.
 */
export async function testAll() {
  process.env['ALDER_TESTS'] = 'all'
  const codes = [
    await prove(['faults']),
    await testPostgres([]),
    await testUpgrade([]),
    await runNode(['e2e/cells/main.ts']),
    await runNode(['e2e/engines/main.ts']),
  ]
  codes.push(await runNode(['bench/pages/lighthouse.ts', '--runs', '1', '--hold']))
  return codes.every((code) => code === 0) ? 0 : 1
}

/** @param {string[]} lastProjects Vitest's projects that run after all others, in one run */
async function prove(lastProjects = []) {
  const folder = memoryFolder()
  if (folder) process.env['TMPDIR'] ??= folder
  const dir = mkdtempSync(join(tmpdir(), 'alder-results-'))
  try {
    await buildWeb()
    const failedChecks = await countFailedChecks()
    if (!(await haveBrowser())) return 1
    const firstRuns = await Promise.all(PROJECTS.map((names) => runVitest(dir, names)))
    if (lastProjects.length > 0) firstRuns.push(await runVitest(dir, lastProjects))
    firstRuns.push(await runPlaywright(dir))
    // The second attempts run one after the other, so that no test runs beside another part's tests again.
    const shards = []
    for (const run of firstRuns) shards.push(await tryAgain(run))
    const passedCount = shards.reduce((sum, shard) => sum + shard.passed, 0)
    const failedCount = shards.reduce((sum, shard) => sum + shard.failed, failedChecks)
    // The failures are printed at the end, because the log may be cut to its last lines.
    for (const failure of shards.flatMap(({ failures }) => failures)) console.log(`failed: ${failure}`)
    for (const flake of shards.flatMap(({ flakes }) => flakes)) console.log(`passed at the second attempt: ${flake}`)
    console.log(`\n${passedCount} passed, ${failedCount} failed`)
    return failedCount === 0 ? 0 : 1
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

const MEMORY_FOLDER = '/dev/shm'
const ROOM_BYTES = 4 * 2 ** 30

/**
 * Returns a folder that Linux keeps in memory, if the tests' files fit into it; else null. Each database has about a thousand
 * files, which take a disk up to a second to create.
 */
function memoryFolder() {
  try {
    accessSync(MEMORY_FOLDER, constants.W_OK)
    const { bavail, bsize } = statfsSync(MEMORY_FOLDER)
    return Math.min(bavail * bsize, process.availableMemory()) >= ROOM_BYTES ? MEMORY_FOLDER : null
  } catch {
    return null
  }
}

/**
 * The result of a part of the tests. `failures` has each failed test with the start of its message. `again` runs the failed
 * journeys, or the files with failed tests, once more. It is null if they must not have a second attempt.
 * @typedef {{ passed: number, failed: number, failures: string[], again: null | (() => Promise<Run>) }} Run
 */

/**
 * Calls `again` of a run, and returns the combined result. The second attempt decides, unless no test passes in it. `flakes`
 * are the tests that failed at first, if all of them passed at the second attempt.
 * @param {Run} firstRun
 */
async function tryAgain(firstRun) {
  const secondRun = await firstRun.again?.()
  if (!secondRun) return { ...firstRun, flakes: [] }
  const { failures } = secondRun
  const failedCount = secondRun.passed > 0 ? secondRun.failed : firstRun.failed
  return {
    passed: firstRun.passed + firstRun.failed - failedCount,
    failed: failedCount,
    failures: failedCount > 0 ? failures : [],
    flakes: failedCount > 0 ? [] : firstRun.failures,
  }
}

/**
 * @param {string} dir the folder for the results
 * @param {string[]} projects
 * @param {string[]} files the test files to run; all files if empty
 * @returns {Promise<Run>}
 */
async function runVitest(dir, projects, files = []) {
  const file = join(dir, `${projects.join('-')}.json`)
  const code = await runNode([
    'node_modules/vitest/vitest.mjs',
    'run',
    ...files,
    ...projects.flatMap((name) => ['--project', name]),
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${file}`,
  ])
  const { numPassedTests = 0, numFailedTests = 0, testResults = [] } = readResults(file)
  rmSync(file, { force: true })
  const failedCount = code === 0 ? numFailedTests : Math.max(numFailedTests, 1)
  const suspects = files.length > 0 ? null : filesToTryAgain(testResults)
  return {
    passed: numPassedTests,
    failed: failedCount,
    failures: failedTests(testResults),
    again: suspects && (() => runVitest(dir, projects, suspects)),
  }
}

/**
 * @param {string} dir the folder for the results
 * @param {boolean} isSecond whether to run only the journeys that failed before
 * @returns {Promise<Run>}
 */
async function runPlaywright(dir, isSecond = false) {
  const file = join(dir, 'playwright.json')
  const env = { ...process.env, PLAYWRIGHT_JSON_OUTPUT_FILE: file }
  const only = isSecond ? ['--last-failed'] : []
  const code = await runNode(['node_modules/@playwright/test/cli.js', 'test', '--reporter=list,json', ...only], { env })
  const { stats = {}, suites = [], errors = [] } = readResults(file)
  rmSync(file, { force: true })
  const { expected = 0, unexpected = 0 } = stats
  const failures = failedJourneys(suites)
  // An error outside the journeys, such as books that do not balance, has no second attempt.
  const isTheirs = errors.length === 0 && unexpected > 0 && unexpected <= MAX_AGAIN
  return {
    passed: expected,
    failed: code === 0 ? unexpected : Math.max(unexpected, 1),
    failures,
    again: isTheirs && !isSecond ? () => runPlaywright(dir, true) : null,
  }
}

/** The maximum number of failures in a part that a busy machine can explain. */
const MAX_AGAIN = 5

/**
 * @typedef {{
 *   name: string
 *   status: string
 *   message?: string
 *   assertionResults: { fullName: string, status: string, failureMessages?: string[] }[]
 * }} TestFile
 */

/**
 * Returns the files to run a second time, or null if no second attempt is allowed. A file that fails to load fails again. A
 * property test's counterexample is a fault of the code, even if the next random inputs do not find it.
 * @param {TestFile[]} results
 * @returns {string[] | null}
 */
export function filesToTryAgain(results) {
  const failedFiles = results.filter(({ status }) => status === 'failed')
  const tests = failedFiles.map(({ assertionResults }) =>
    assertionResults.filter((assertionResult) => assertionResult.status === 'failed'),
  )
  const count = tests.flat().length
  if (count === 0 || count > MAX_AGAIN || tests.some((fileTests) => fileTests.length === 0)) return null
  const messages = tests.flat().flatMap(({ failureMessages = [] }) => failureMessages)
  if (messages.some((message) => message.includes('Property failed after'))) return null
  return failedFiles.map(({ name }) => relative(process.cwd(), name))
}

/**
 * Returns the failed tests, each with its file and the start of its message. A file that fails to load counts as one failure.
 * @param {TestFile[]} files
 * @returns {string[]}
 */
export function failedTests(files) {
  return files.flatMap(({ name, status, message = '', assertionResults }) => {
    const file = relative(process.cwd(), name)
    const failed = assertionResults
      .filter((result) => result.status === 'failed')
      .map(
        ({ fullName, failureMessages = [] }) =>
          `${file} › ${fullName}: ${failureMessages.join('; ').slice(0, MESSAGE_LETTERS)}`,
      )
    return status === 'failed' && failed.length === 0 ? [`${file}: ${message.slice(0, MESSAGE_LETTERS)}`] : failed
  })
}

/**
 * @typedef {{
 *   specs?: { title: string, file: string, ok: boolean }[]
 *   suites?: JourneySuite[]
 * }} JourneySuite
 */

/**
 * Returns the failed journeys, each with its file.
 * @param {JourneySuite[]} suites
 * @returns {string[]}
 */
function failedJourneys(suites) {
  return suites.flatMap(({ specs = [], suites: inner = [] }) => [
    ...specs.filter(({ ok }) => !ok).map(({ title, file }) => `e2e/${file} › ${title}`),
    ...failedJourneys(inner),
  ])
}

const MESSAGE_LETTERS = 600

/** @param {string} file */
function readResults(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return {}
  }
}

/** Returns whether there is a browser for the tests. Installs one if there is none and CHROME_PATH is not set. */
async function haveBrowser() {
  if (findBrowser()) return true
  if (process.env['CHROME_PATH']) {
    say(`CHROME_PATH names ${process.env['CHROME_PATH']}, which is not a browser that runs here.`)
    return false
  }
  say('There is no Chrome, Chromium or Edge on this machine; fetching Chromium for the tests.')
  /** @type {import('node:child_process').SpawnOptions} */
  const quietly = { stdio: ['ignore', process.stderr, process.stderr], timeout: INSTALL_LIMIT_MS }
  const fetched = await runNode(['node_modules/@playwright/test/cli.js', 'install', 'chromium'], quietly)
  if (fetched === 0 && (await playwrightsOwnRuns())) return true
  for (const name of ['chromium-headless-shell', 'chromium'])
    if ((await installFromDebian([name])) && findBrowser()) return true
  say('No browser could be had: install Chrome, Chromium or Edge, or set CHROME_PATH to one.')
  return false
}

async function playwrightsOwnRuns() {
  const script = `import { chromium } from '@playwright/test'
    await (await chromium.launch({ args: ['--no-sandbox'] })).close()`
  return (await captureNode(['--input-type=module', '--eval', script])).code === 0
}
