import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startBank } from '#server/faults/bank-process.ts'
import { DRAWN_SCREENS } from '../../vite/drawn-screens.ts'
import { installFromDebian } from '../../scripts/run.mjs'
import { misfitsHere, type Misfit } from '../fit.ts'
import type { Engine } from './engine.ts'
import { openFirefox } from './firefox.ts'
import { openWebKit } from './webkit.ts'

/*
 * Opens every screen in Firefox and in WebKit, plays one payment, and keeps a picture of each screen in
 * test-results/engines. `npm run engines` takes the names of some; as root on Debian it installs what is missing.
 */

const PICTURES = 'test-results/engines'
const SCREENS = [
  ...DRAWN_SCREENS,
  '/claim',
  '/reset-password',
  '/help-center/article?id=freeze_card',
  '/no-such-screen',
]

const firstOf = (paths: readonly string[]): string | null => paths.find((path) => existsSync(path)) ?? null

/** Where Debian's packages put an executable: below the folder of the machine's kind. */
const inLibraries = (path: string): string[] =>
  existsSync('/usr/lib') ? readdirSync('/usr/lib').map((folder) => join('/usr/lib', folder, path)) : []

const WANTED: { name: string; packages: string[]; open: () => Promise<Engine> | null }[] = [
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

/** Opens a screen as somebody does who comes by its address, and answers what is wrong with it. */
async function look(engine: Engine, url: string, path: string): Promise<string[]> {
  await engine.open(url + path)
  await engine.wait('//h1')
  const until = Date.now() + SETTLE_MS
  for (let quiet = 0; quiet < QUIET_LOOKS && Date.now() < until; await pause())
    quiet = (await engine.evaluate<number>(WAITING)) > 0 ? 0 : quiet + 1
  const waiting = await engine.evaluate<number>(WAITING)
  const loose = await engine.evaluate<string[]>(LOOSE_FIELDS)
  const misfits = await engine.evaluate<Misfit[]>(`(${misfitsHere.toString()})()`)
  const file = `${path === '/' ? 'onboarding' : path.slice(1).replaceAll(/\W+/g, '-')}.png`
  writeFileSync(join(folderOf(engine), file), await engine.picture())
  return [
    ...(waiting > 0 ? ['something never came'] : []),
    ...(await engine.errors()),
    ...loose.map((text) => `a field is wider than what is written in it: ${text}`),
    ...misfits.map(({ what, text }) => `${what}: ${text}`),
  ].map((wrong) => `${engine.name} ${path}: ${wrong}`)
}

const SETTLE_MS = 20_000
/** How often in a row nothing is on its way before a screen is looked at: what has come is faded in. */
const QUIET_LOOKS = 5
/** What is on its way on the screen, and in a picture of another screen within it. */
const WAITING = `[document, ...[...document.querySelectorAll('iframe')].map((frame) => frame.contentDocument)].reduce(
  (sum, page) => sum + (page?.querySelector('h1')
    ? [...page.querySelectorAll('[aria-busy=true], .animate-shimmer')].filter((one) => one.checkVisibility()).length
    : 1),
  0,
)`
/** Fields that are to be as wide as what is written in them, and are at least half as wide again. */
const LOOSE_FIELDS = `[...document.querySelectorAll('input.\\\\[field-sizing\\\\:content\\\\]')].flatMap((field) => {
  const style = getComputedStyle(field)
  const pen = document.createElement('canvas').getContext('2d')
  pen.font = style.fontWeight + ' ' + style.fontSize + ' ' + style.fontFamily
  const text = field.value || field.placeholder
  return field.clientWidth > pen.measureText(text).width * 1.5 + parseFloat(style.fontSize) ? [text] : []
})`
const pause = () => new Promise((resolve) => setTimeout(resolve, 200))

/** Sends money to somebody, and reads on Home that it has gone. */
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
    const wrong: string[] = []
    for (const path of SCREENS) wrong.push(...(await look(engine, bank.url, path)))
    return [...wrong, ...(await pay(engine, bank.url))]
  } finally {
    await bank.end('SIGTERM')
    rmSync(dir, { recursive: true, force: true })
  }
}

rmSync(PICTURES, { recursive: true, force: true })
const asked = process.argv.slice(2)
const all: string[] = []
for (const { name, packages, open } of WANTED) {
  if (asked.length > 0 && !asked.includes(name)) continue
  let opening = open()
  if (!opening) {
    await installFromDebian(packages)
    opening = open()
  }
  if (!opening) {
    all.push(`${name} is not here: install ${packages.join(' and ')}`)
    continue
  }
  const engine = await opening
  try {
    const wrong = await prove(engine)
    console.log(`${engine.name}: ${SCREENS.length} screens and a payment, ${wrong.length} faults`)
    all.push(...wrong)
  } finally {
    await engine.close()
  }
}
for (const one of all) console.error(one)
process.exitCode = all.length > 0 ? 1 : 0
