import { execFile, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { parseArgs, promisify } from 'node:util'
import lighthouse from 'lighthouse'
import { Secret, TOTP } from 'otpauth'
import puppeteer, { type Browser, type BrowserContext } from 'puppeteer-core'
import type { Dashboard } from '#contract/accounts.ts'
import type { TwoFactorSetup } from '#contract/identity.ts'
import { findBrowser, QUIET_BROWSER } from '../../scripts/browser.mjs'
import { endProgram } from '../../scripts/run.mjs'
import { PRERENDERED_SCREENS } from '../../vite/prerendered-screens.ts'

/**
 * Lighthouse's results for a screen: scores from 0 to 100, times in milliseconds, transferred script sizes in bytes, and the
 * speed of the machine by Lighthouse's benchmark.
 */
export type PageFigure = {
  path: string
  performance: number
  accessibility: number
  bestPractices: number
  seo: number
  lcp_ms: number
  tbt_ms: number
  cls: number
  js_bytes: number
  benchmark_index: number
}

/** The screens that can be opened by address. Each is opened in a new browser profile. */
const SCREENS = [
  ...PRERENDERED_SCREENS,
  '/reset-password',
  '/confirm-email',
  '/claim',
  '/sample/mail',
  '/review',
  '/no-such-screen',
]

const { values: options } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    runs: { type: 'string', default: '3' },
    only: { type: 'string', multiple: true },
    slowdown: { type: 'string', default: '4' },
    hold: { type: 'boolean', default: false },
  },
})
const runs = Number(options.runs)
if (!Number.isInteger(runs) || runs < 1 || runs > 9) throw new RangeError('--runs takes a whole number from 1 to 9')

/**
 * The factor by which Lighthouse slows the processor to simulate a phone. Lighthouse's default of 4 is meant for a fast
 * machine.
 */
const cpuSlowdownMultiplier = Number(options.slowdown)
if (!(cpuSlowdownMultiplier >= 1 && cpuSlowdownMultiplier <= 20)) throw new RangeError('--slowdown takes 1 to 20')

/** Returns the first group of the first line that matches `pattern`. Throws if the output ends without such a line. */
async function lineOf(output: Readable, pattern: RegExp): Promise<string> {
  const lines = createInterface({ input: output })
  for await (const line of lines) {
    const match = pattern.exec(line)?.[1]
    if (match) return match
  }
  throw new Error(`A program ended without a line that matches ${pattern}`)
}

type Machine = { origin: string; dataDir: string; browser: Browser; close(): Promise<void> }

/** Starts a bank and a browser for this measurement alone. */
async function open(): Promise<Machine> {
  const executablePath = findBrowser()
  if (!executablePath) throw new Error('There is no Chrome, Chromium or Edge here; set CHROME_PATH to one.')
  const dir = mkdtempSync(join(tmpdir(), 'alder-pages-'))
  const dataDir = join(dir, 'bank')
  const bank = spawn(process.execPath, ['scripts/alder.mjs', 'start'], {
    // With TRUST_PROXY, each run can send an IP address of its own. The bank limits how many sample customers one IP address
    // may open.
    env: { ...process.env, PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'error', TRUST_PROXY: 'true' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const close = async () => {
    await endProgram(bank)
    rmSync(dir, { recursive: true, force: true, maxRetries: 5 })
  }
  try {
    const origin = await lineOf(bank.stdout, /open at (http:\/\/localhost:\d+)/)
    const browser = await puppeteer.launch({ executablePath, args: [...QUIET_BROWSER] })
    return {
      origin,
      dataDir,
      browser,
      close: async () => {
        await browser.close()
        await close()
      },
    }
  } catch (error) {
    await close()
    throw error
  }
}

type Visitor = Record<string, string>

/** Sends a request as the page does, with the headers of a visitor. */
function sendRequest(origin: string, path: string, headers: Visitor, body?: object): Promise<Response> {
  if (body === undefined) return fetch(`${origin}/api/v1${path}`, { headers })
  const posted = { origin, 'idempotency-key': randomUUID(), 'content-type': 'application/json' }
  const request = { method: 'POST', headers: { ...headers, ...posted }, body: JSON.stringify(body) }
  return fetch(`${origin}/api/v1${path}`, request)
}

/** Signs a customer in on this browser, and returns the headers of their session. */
async function signIn(context: BrowserContext, origin: string, visitor: Visitor, email: string): Promise<Visitor> {
  const response = await sendRequest(origin, '/session', visitor, { email, password: randomUUID() })
  const cookies = response.headers.getSetCookie().map((set) => {
    const [name = '', value = ''] = (set.split(';')[0] ?? '').split('=')
    return { name, value, domain: new URL(origin).hostname }
  })
  await context.setCookie(...cookies)
  return { ...visitor, cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; ') }
}

/**
 * Screens that need a preparation: a signed-in customer, a reviewer, or an id in the address. Each function prepares its screen
 * and returns the address to open.
 */
const INSIDE: Record<string, (machine: Machine, context: BrowserContext, visitor: Visitor) => Promise<string>> = {
  '/transaction-detail': async ({ origin }, context, visitor) => {
    const headers = await signIn(context, origin, visitor, `${randomUUID()}@example.com`)
    const { recent } = (await (await sendRequest(origin, '/dashboard', headers)).json()) as Dashboard
    return `/transaction-detail?id=${recent[0]?.id}`
  },
  '/help-center/article': () => Promise.resolve('/help-center/article?id=freeze_card'),
  '/review': async ({ origin, dataDir }, context, visitor) => {
    const email = `${randomUUID()}@example.com`
    const headers = await signIn(context, origin, visitor, email)
    const setup = (await (await sendRequest(origin, '/two-factor/setup', headers, {})).json()) as TwoFactorSetup
    const code = new TOTP({ secret: Secret.fromBase32(setup.secret) }).generate()
    await sendRequest(origin, '/two-factor', headers, { oneTimeToken: setup.oneTimeToken, code })
    const env = { ...process.env, DATA_DIR: dataDir }
    await promisify(execFile)(process.execPath, ['scripts/alder.mjs', 'reviewer', email], { env })
    return '/review'
  },
}

type Request = { resourceType?: string; transferSize: number }

let visitors = 0

/**
 * The largest number of attempts to measure a page. Lighthouse fails if the page's trace is incomplete, as happens on a busy
 * machine.
 */
const TRACES = 3

async function measureOnce(machine: Machine, path: string, tries = TRACES): Promise<PageFigure> {
  visitors += 1
  const visitor = { 'x-forwarded-for': `198.51.100.${visitors}` }
  const context = await machine.browser.createBrowserContext()
  const address = (await INSIDE[path]?.(machine, context, visitor)) ?? path
  const page = await context.newPage()
  const throttling = { cpuSlowdownMultiplier }
  const settings = { output: 'json', logLevel: 'error', extraHeaders: visitor, throttling } as const
  const result = await lighthouse(machine.origin + address, settings, undefined, page)
  await context.close()
  if (!result) throw new Error(`Lighthouse returned no result for ${path}`)
  const { categories, audits, environment, runtimeError } = result.lhr
  if (runtimeError && tries > 1) return measureOnce(machine, path, tries - 1)
  if (runtimeError) throw new Error(`${path}: ${runtimeError.message}`)
  const score = (category: string) => Math.round((categories[category]?.score ?? 0) * 100)
  const value = (audit: string) => audits[audit]?.numericValue ?? Number.NaN
  const { items } = (audits['network-requests']?.details ?? { items: [] }) as unknown as { items: Request[] }
  const scripts = items.filter(({ resourceType }) => resourceType === 'Script')
  if (!options.json) {
    for (const audit of Object.values(audits)) {
      const isUnmet = audit.score !== null && audit.score < 1 && audit.scoreDisplayMode === 'binary'
      if (isUnmet) console.error(`  ${path}: ${audit.title}`)
    }
  }
  return {
    path,
    performance: score('performance'),
    accessibility: score('accessibility'),
    bestPractices: score('best-practices'),
    seo: score('seo'),
    lcp_ms: Math.round(value('largest-contentful-paint')),
    tbt_ms: Math.round(value('total-blocking-time')),
    cls: Number(value('cumulative-layout-shift').toFixed(3)),
    js_bytes: scripts.reduce((bytes, { transferSize }) => bytes + transferSize, 0),
    benchmark_index: Math.round(environment.benchmarkIndex),
  }
}

/** Returns the run with the median performance score. */
function median(figures: readonly PageFigure[]): PageFigure {
  const sorted = figures.toSorted((a, b) => a.performance - b.performance || b.lcp_ms - a.lcp_ms)
  const middle = sorted[Math.floor(sorted.length / 2)]
  if (!middle) throw new RangeError('There is no median of nothing')
  return middle
}

const machine = await open()
const figures: PageFigure[] = []
try {
  for (const path of options.only ?? SCREENS) {
    const each: PageFigure[] = []
    for (let run = 0; run < runs; run += 1) each.push(await measureOnce(machine, path))
    const figure = median(each)
    figures.push(figure)
    if (!options.json) console.error(`${path}: performance ${figure.performance}`)
  }
} finally {
  await machine.close()
}
if (options.json) console.log(JSON.stringify(figures))
else console.table(Object.fromEntries(figures.map(({ path, ...rest }) => [path, rest])))

/** These scores do not depend on the speed of the machine. */
const fallen = figures.filter(({ accessibility, bestPractices }) => Math.min(accessibility, bestPractices) < 100)
if (options.hold && fallen.length > 0) {
  console.error(`Below 100: ${fallen.map(({ path }) => path).join(', ')}`)
  process.exitCode = 1
}
