import { accessSync, constants, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { findBrowser } from './browser.mjs'
import { countFailedChecks } from './check.mjs'
import { captureNode, runNode, runProgram, say } from './run.mjs'
import { buildWeb } from './web.mjs'

/** The whole proof: the checks, the tests on a real PostgreSQL, and a person's journeys in a real browser. */
export async function test() {
  const folder = memoryFolder()
  if (folder) process.env.TMPDIR ??= folder
  const dir = mkdtempSync(join(tmpdir(), 'alder-results-'))
  try {
    await buildWeb()
    const failedChecks = await countFailedChecks()
    const units = await runVitest(join(dir, 'vitest.json'))
    const journeys = await runPlaywright(join(dir, 'playwright.json'))
    const passed = units.passed + journeys.passed
    const failed = failedChecks + units.failed + journeys.failed
    // At the end, where it is seen even if only the end of the log is kept.
    for (const failure of units.failures) console.log(`failed: ${failure}`)
    for (const title of [...units.secondTry, ...journeys.secondTry]) console.log(`needed a second try: ${title}`)
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

async function runVitest(file) {
  const code = await runNode([
    'node_modules/vitest/vitest.mjs',
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${file}`,
  ])
  const { numPassedTests = 0, numFailedTests = 0, testResults = [] } = readResults(file)
  return {
    ...counted(code, numPassedTests, numFailedTests),
    failures: failedTests(testResults),
    secondTry: retriedTests(testResults),
  }
}

async function runPlaywright(file) {
  if (!(await haveBrowser())) return { passed: 0, failed: 1, secondTry: [] }
  const env = { ...process.env, PLAYWRIGHT_JSON_OUTPUT_FILE: file }
  const code = await runNode(['node_modules/@playwright/test/cli.js', 'test', '--reporter=list,json'], { env })
  const { stats, suites = [] } = readResults(file)
  const { expected = 0, flaky = 0, unexpected = 0 } = stats ?? {}
  return { ...counted(code, expected + flaky, unexpected), secondTry: suites.flatMap((suite) => flakyTests(suite)) }
}

/**
 * @typedef {{
 *   name: string
 *   status: string
 *   message?: string
 *   assertionResults: { fullName: string, status: string, failureMessages?: string[] }[]
 * }} TestFile
 */

/**
 * What failed, each with its file and the beginning of its message; a file that does not load has no tests to name.
 * @param {TestFile[]} files
 * @returns {string[]}
 */
export function failedTests(files) {
  return files.flatMap((file) => {
    const failed = toldOf(file, 'failed')
    const { name, status, message = '' } = file
    return status === 'failed' && failed.length === 0
      ? [`${relative(process.cwd(), name)}: ${message.slice(0, MESSAGE_LETTERS)}`]
      : failed
  })
}

/**
 * What failed at first and passed when it was tried again, with why.
 * @param {TestFile[]} files
 * @returns {string[]}
 */
export function retriedTests(files) {
  return files.flatMap((file) => toldOf(file, 'passed'))
}

/**
 * Tests of this status that have something to complain of.
 * @param {TestFile} file
 * @param {string} status
 */
function toldOf({ name, assertionResults }, status) {
  return assertionResults
    .filter((result) => result.status === status && (status === 'failed' || result.failureMessages?.length))
    .map(({ fullName, failureMessages = [] }) => {
      const why = failureMessages.join('; ').slice(0, MESSAGE_LETTERS)
      return `${relative(process.cwd(), name)} › ${fullName}: ${why}`
    })
}

const MESSAGE_LETTERS = 600

/** @typedef {{ title: string, suites?: Suite[], specs?: { title: string, tests: { status: string }[] }[] }} Suite */

/**
 * Titles of the tests that failed at first and passed when they were retried.
 * @param {Suite} suite
 * @returns {string[]}
 */
export function flakyTests({ title, suites = [], specs = [] }) {
  const own = specs.filter(({ tests }) => tests.some(({ status }) => status === 'flaky')).map((spec) => spec.title)
  return [...own, ...suites.flatMap(flakyTests)].map((name) => `${title} › ${name}`)
}

/** A run that failed without a failing test (a file that does not load, a crash) is a failure all the same. */
function counted(code, passed, failed) {
  return { passed, failed: code === 0 ? failed : Math.max(failed, 1) }
}

function readResults(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return {}
  }
}

const INSTALL_LIMIT_MS = 300_000

/** Whether there is a browser to test in, having tried to get one where there is none. */
async function haveBrowser() {
  if (findBrowser()) return true
  if (process.env.CHROME_PATH) {
    say(`CHROME_PATH names ${process.env.CHROME_PATH}, which is not a browser that runs here.`)
    return false
  }
  say('There is no Chrome, Chromium or Edge on this machine; fetching Chromium for the tests.')
  const quietly = { stdio: ['ignore', process.stderr, process.stderr], timeout: INSTALL_LIMIT_MS }
  const fetched = await runNode(['node_modules/@playwright/test/cli.js', 'install', 'chromium'], quietly)
  if (fetched === 0 && (await playwrightsOwnRuns())) return true
  if (process.getuid?.() === 0) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    const install = 'apt-get install -q -y --no-install-recommends'
    const command = `command -v apt-get && apt-get update -q && (${install} chromium-headless-shell || ${install} chromium)`
    await runProgram('sh', ['-c', command], { ...quietly, env })
    if (findBrowser()) return true
  }
  say('No browser could be had: install Chrome, Chromium or Edge, or set CHROME_PATH to one.')
  return false
}

async function playwrightsOwnRuns() {
  const script = `import { chromium } from '@playwright/test'
    await (await chromium.launch({ args: ['--no-sandbox'] })).close()`
  return (await captureNode(['--input-type=module', '--eval', script])).code === 0
}
