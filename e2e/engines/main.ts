import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startBank } from '#server/faults/bank-process.ts'
import { PRERENDERED_SCREENS } from '../../vite/prerendered-screens.ts'
import { installFromDebian } from '../../scripts/run.mjs'
import { findTextOverflowsInPage, type TextOverflow } from '../text-overflow.ts'
import type { Engine } from './engine.ts'
import { openFirefox } from './firefox.ts'
import { openWebKit } from './webkit.ts'

/*
 * Opens most screens in Firefox and in WebKit, makes one payment, and saves a picture of each screen in test-results/engines.
 * `npm run engines` accepts names of browsers. On Debian, as root, it installs missing packages.
 */

const PICTURES = 'test-results/engines'
const SCREENS = [
  ...PRERENDERED_SCREENS,
  '/claim',
  '/reset-password',
  '/help-center/article?id=freeze_card',
  '/no-such-screen',
]

const firstOf = (paths: readonly string[]): string | null => paths.find((path) => existsSync(path)) ?? null

/** Returns the paths of an executable in Debian's library folders, one for each processor architecture. */
const inLibraries = (path: string): string[] =>
  existsSync('/usr/lib') ? readdirSync('/usr/lib').map((folder) => join('/usr/lib', folder, path)) : []

const ENGINES: { name: string; packages: string[]; open: () => Promise<Engine> | null }[] = [
  {
    name: 'Firefox',
    packages: ['firefox-esr'],
    open() {
      const path = firstOf(['/usr/bin/firefox-esr', '/usr/bin/firefox'])
      return path ? openFirefox(path) : null
    },
  },
  {
    name: 'WebKit',
    packages: ['webkit2gtk-driver', 'xvfb'],
    open() {
      const driver = firstOf(['/usr/bin/WebKitWebDriver'])
      const browser = firstOf(inLibraries('webkit2gtk-4.1/MiniBrowser'))
      return driver && browser && existsSync('/usr/bin/Xvfb') ? openWebKit({ driver, browser }) : null
    },
  },
]

/** Opens a screen by its address, and returns the faults found on it. */
async function checkScreen(engine: Engine, url: string, path: string): Promise<string[]> {
  await engine.open(url + path)
  await engine.wait('//h1')
  const until = Date.now() + SETTLE_MS
  for (let quiet = 0; quiet < QUIET_LOOKS && Date.now() < until; await pause())
    quiet = (await engine.evaluate<number>(WAITING)) > 0 ? 0 : quiet + 1
  const waitingCount = await engine.evaluate<number>(WAITING)
  const looseFieldTexts = await engine.evaluate<string[]>(LOOSE_FIELDS)
  const misfits = await engine.evaluate<TextOverflow[]>(`(${findTextOverflowsInPage.toString()})()`)
  const file = `${path === '/' ? 'onboarding' : path.slice(1).replaceAll(/\W+/g, '-')}.png`
  writeFileSync(join(folderOf(engine), file), await engine.picture())
  return [
    ...(waitingCount > 0 ? ['something never came'] : []),
    ...(await engine.errors()),
    ...looseFieldTexts.map((text) => `a field is wider than what is written in it: ${text}`),
    ...misfits.map(({ what, text }) => `${what}: ${text}`),
  ].map((fault) => `${engine.name} ${path}: ${fault}`)
}

const SETTLE_MS = 20_000
/** The number of checks in a row without loading content before a screen is judged. Content fades in after it has loaded. */
const QUIET_LOOKS = 5
/** Counts the content that is still loading on the screen, and in pictures of other screens within it. */
const WAITING = `[document, ...[...document.querySelectorAll('iframe')].map((frame) => frame.contentDocument)].reduce(
  (sum, page) => sum + (page?.querySelector('h1')
    ? [...page.querySelectorAll('[aria-busy=true], .animate-shimmer')].filter((one) => one.checkVisibility()).length
    : 1),
  0,
)`
/** Finds fields that should be as wide as their content but are wider by more than half of it and one letter. */
const LOOSE_FIELDS = `[...document.querySelectorAll('input.\\\\[field-sizing\\\\:content\\\\]')].flatMap((field) => {
  const style = getComputedStyle(field)
  const pen = document.createElement('canvas').getContext('2d')
  pen.font = style.fontWeight + ' ' + style.fontSize + ' ' + style.fontFamily
  const text = field.value || field.placeholder
  return field.clientWidth > pen.measureText(text).width * 1.5 + parseFloat(style.fontSize) ? [text] : []
})`
const pause = () => new Promise((resolve) => setTimeout(resolve, 200))

/** Sends money to a contact, and checks that Home shows the balance after the payment. */
async function pay(engine: Engine, url: string): Promise<string[]> {
  await engine.open(`${url}/transfer`)
  await engine.type("//input[@inputmode='decimal']", '12.50')
  await engine.type("//input[@name='recipient']", 'sarah.johnson@example.com')
  await engine.press("//button[normalize-space()='Send Money']")
  await engine.wait("//*[contains(., '$12.50 sent successfully to sarah.johnson@example.com')]")
  await engine.wait("//h2[normalize-space()='Recent Transactions']")
  const text = await engine.evaluate<string>('document.body.innerText')
  return text.includes('12,446.00') ? [] : [`${engine.name}: the balance after a payment is not on Home`]
}

const folderOf = ({ name }: Engine): string => join(PICTURES, name.split(/[ /]/)[0]?.toLowerCase() ?? name)

async function prove(engine: Engine): Promise<string[]> {
  const dir = mkdtempSync(join(tmpdir(), 'alder-engines-'))
  const bank = await startBank({ dir, env: { LOG_LEVEL: 'error' } })
  try {
    mkdirSync(folderOf(engine), { recursive: true })
    const screenFaults: string[] = []
    for (const path of SCREENS) screenFaults.push(...(await checkScreen(engine, bank.url, path)))
    return [...screenFaults, ...(await pay(engine, bank.url))]
  } finally {
    await bank.end('SIGTERM')
    rmSync(dir, { recursive: true, force: true })
  }
}

rmSync(PICTURES, { recursive: true, force: true })
const names = process.argv.slice(2)
const allFaults: string[] = []
for (const { name, packages, open } of ENGINES) {
  if (names.length > 0 && !names.includes(name)) continue
  let pendingEngine = open()
  if (!pendingEngine) {
    await installFromDebian(packages)
    pendingEngine = open()
  }
  if (!pendingEngine) {
    allFaults.push(`${name} is not here: install ${packages.join(' and ')}`)
    continue
  }
  const engine = await pendingEngine
  try {
    const screenFaults = await prove(engine)
    console.log(`${engine.name}: ${SCREENS.length} screens and a payment, ${screenFaults.length} faults`)
    allFaults.push(...screenFaults)
  } finally {
    await engine.close()
  }
}
for (const fault of allFaults) console.error(fault)
process.exitCode = allFaults.length > 0 ? 1 : 0
