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

/** Vitest's projects, those of a row beside each other: what is drawn in a browser waits for most of its time. */
const PROJECTS = [['web', 'server'], ['components']]

/** All that a change can break: the checks, the tests on a real PostgreSQL, and a person's journeys in a real browser. */
export const test = () => prove()

/**
 * All that a release is proved by: the same at full strength, faults and attacks, every screen in large text, in Arabic and
 * in dark, every PostgreSQL that the bank runs on, the last release before, beside and after this one, two banks that pay each other,
 * Firefox and WebKit, and Lighthouse.
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

/** @param {string[]} alone what runs of Vitest's projects after all others, and beside nothing */
async function prove(alone = []) {
  const folder = memoryFolder()
  if (folder) process.env['TMPDIR'] ??= folder
  const dir = mkdtempSync(join(tmpdir(), 'alder-results-'))
  try {
    await buildWeb()
    const failedChecks = await countFailedChecks()
    if (!(await haveBrowser())) return 1
    const first = await Promise.all(PROJECTS.map((names) => runVitest(dir, names)))
    if (alone.length > 0) first.push(await runVitest(dir, alone))
    first.push(await runPlaywright(dir))
    // In turn: a test that failed beside all others is tried again beside none.
    const all = []
    for (const run of first) all.push(await tryAgain(run))
    const passed = all.reduce((sum, one) => sum + one.passed, 0)
    const failed = all.reduce((sum, one) => sum + one.failed, failedChecks)
    // At the end, where it is seen even if only the end of the log is kept.
    for (const failure of all.flatMap(({ failures }) => failures)) console.log(`failed: ${failure}`)
    for (const flake of all.flatMap(({ flakes }) => flakes)) console.log(`passed at the second attempt: ${flake}`)
    console.log(`\n${passed} passed, ${failed} failed`)
    return failed === 0 ? 0 : 1
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

const MEMORY_FOLDER = '/dev/shm'
const ROOM_BYTES = 4 * 2 ** 30

/**
 * Where Linux keeps files in memory, if there is room for all that the tests write. Each database they make is a thousand
 * files, which takes a disk up to a second.
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
 * A run of a part of the tests. `failures` names each test that failed with the beginning of its message; `again` runs those
 * tests once more, or is null where the run says too little, or too much, for that.
 * @typedef {{ passed: number, failed: number, failures: string[], again: null | (() => Promise<Run>) }} Run
 */

/**
 * Tries the failed tests of a run once more. Whatever the second attempt says counts; `flakes` are the failures that it refuted.
 * @param {Run} first
 */
async function tryAgain(first) {
  const second = await first.again?.()
  if (!second) return { ...first, flakes: [] }
  const { failures } = second
  const failed = second.passed > 0 ? second.failed : first.failed
  return {
    passed: first.passed + first.failed - failed,
    failed,
    failures: failed > 0 ? failures : [],
    flakes: failed > 0 ? [] : first.failures,
  }
}

/**
 * @param {string} dir where the results are written
 * @param {string[]} projects
 * @param {string[]} files all if there are none
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
  const failed = code === 0 ? numFailedTests : Math.max(numFailedTests, 1)
  const suspects = files.length > 0 ? null : filesToTryAgain(testResults)
  return {
    passed: numPassedTests,
    failed,
    failures: failedTests(testResults),
    again: suspects && (() => runVitest(dir, projects, suspects)),
  }
}

/**
 * @param {string} dir where the results are written
 * @param {boolean} isSecond whether only the journeys run that failed before
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
  // An error beside the journeys, such as books that do not balance, is none of theirs.
  const isTheirs = errors.length === 0 && unexpected > 0 && unexpected <= MOST_AGAIN
  return {
    passed: expected,
    failed: code === 0 ? unexpected : Math.max(unexpected, 1),
    failures,
    again: isTheirs && !isSecond ? () => runPlaywright(dir, true) : null,
  }
}

/** More failures than these are no accident of a busy machine. */
const MOST_AGAIN = 5

/**
 * @typedef {{
 *   name: string
 *   status: string
 *   message?: string
 *   assertionResults: { fullName: string, status: string, failureMessages?: string[] }[]
 * }} TestFile
 */

/**
 * The files whose failed tests are tried once more; null if no second attempt is right. A file that does not load fails again, and
 * a counterexample that a property test found is a fault of the code, whatever the next random inputs do.
 * @param {TestFile[]} results
 * @returns {string[] | null}
 */
export function filesToTryAgain(results) {
  const failed = results.filter(({ status }) => status === 'failed')
  const tests = failed.map(({ assertionResults }) => assertionResults.filter((one) => one.status === 'failed'))
  const count = tests.flat().length
  if (count === 0 || count > MOST_AGAIN || tests.some((those) => those.length === 0)) return null
  const messages = tests.flat().flatMap(({ failureMessages = [] }) => failureMessages)
  if (messages.some((message) => message.includes('Property failed after'))) return null
  return failed.map(({ name }) => relative(process.cwd(), name))
}

/**
 * What failed, each with its file and the beginning of its message; a file that does not load has no tests to name.
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
 * The journeys that failed, each with its file.
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

/** Whether there is a browser to test in, having tried to get one where there is none. */
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
