import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Builder, By, Capabilities, error, type WebDriver, type WebElement } from 'selenium-webdriver'
import { freePort } from '#server/platform/process/free-port.ts'
import { endProgram } from '../../scripts/run.mjs'
import { type Engine, PHONE, WAIT_MS } from './engine.ts'

export type WebKit = { driver: string; browser: string }

/** Keeps what goes wrong in a page, because WebDriver does not tell. */
const KEEP_ERRORS = `if (!window.kept) {
  window.kept = []
  addEventListener('error', (event) => kept.push(String(event.message)))
  addEventListener('unhandledrejection', (event) => kept.push(String(event.reason)))
}`

/** The height of MiniBrowser's tool bar once gtk/gtk-3.0/gtk.css has made it small. */
const TOOL_BAR_PX = 20

/** WebKitGTK, driven over WebDriver, with a display of its own. */
export async function openWebKit({ driver: program, browser }: WebKit): Promise<Engine> {
  const started: ChildProcess[] = []
  try {
    const display = await openDisplay(started)
    const port = await freePort()
    const settings = fileURLToPath(new URL('gtk', import.meta.url))
    const env = { ...process.env, DISPLAY: display, GDK_BACKEND: 'x11', XDG_CONFIG_HOME: settings, LANG: 'en_US.UTF-8' }
    started.push(spawn(program, [`--port=${port}`], { env, stdio: 'ignore' }))
    const options = { binary: browser, args: ['--automation'] }
    const capabilities = new Capabilities({ 'webkitgtk:browserOptions': options }).setBrowserName('MiniBrowser')
    const driver = await built(port, capabilities)
    await driver
      .manage()
      .window()
      .setRect({ x: 0, y: 0, width: PHONE.width, height: PHONE.height + TOOL_BAR_PX })
    const known = await driver.getCapabilities()
    return {
      name: `WebKitGTK ${known.getBrowserVersion() ?? ''}`.trim(),
      async open(url) {
        await driver.get(url)
        await driver.executeScript(KEEP_ERRORS)
      },
      evaluate: <Result>(expression: string) => driver.executeScript<Result>(`return ${expression}`),
      press: (xpath) => onShown(driver, xpath, (element) => element.click()),
      type: (xpath, text) => onShown(driver, xpath, (element) => element.sendKeys(text)),
      wait: (xpath) => onShown(driver, xpath, () => Promise.resolve()),
      picture: async () => Buffer.from(await driver.takeScreenshot(), 'base64'),
      errors: () => driver.executeScript('return (window.kept ?? []).splice(0)'),
      async close() {
        await driver.quit()
        await end(started)
      },
    }
  } catch (reason) {
    await end(started)
    throw reason
  }
}

/** A display that nobody sees. Answers how programs are told of it. */
async function openDisplay(started: ChildProcess[]): Promise<string> {
  const child = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1400x900x24'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  started.push(child)
  const said = child.stdio[3]
  if (!said) throw new Error('Xvfb was started without a way to say its display')
  const [number] = (await Promise.race([once(said, 'data'), failed(child, 'Xvfb')])) as [Buffer]
  return `:${String(number).trim()}`
}

async function failed(child: ChildProcess, name: string): Promise<never> {
  await once(child, 'exit')
  throw new Error(`${name} ended before it was ready`)
}

const TRIES = 40
const PAUSE_MS = 250

/** Asks for a window until the driver answers, which takes it a moment after its start. */
async function built(port: number, capabilities: Capabilities): Promise<WebDriver> {
  const builder = new Builder().usingServer(`http://127.0.0.1:${port}`).withCapabilities(capabilities)
  for (let tries = TRIES; ; tries -= 1) {
    try {
      return await builder.build()
    } catch (reason) {
      if (tries === 0 || !String(reason).includes('ECONNREFUSED')) throw reason
      await sleep(PAUSE_MS)
    }
  }
}

/** The page drew another one in its place, or is drawn and does not answer yet. */
const NOT_YET = [error.StaleElementReferenceError, error.ElementNotInteractableError]

/** Does something with an element once it is shown and answers. */
async function onShown(driver: WebDriver, xpath: string, work: (element: WebElement) => Promise<void>): Promise<void> {
  await driver.wait(
    async () => {
      try {
        const [element] = await driver.findElements(By.xpath(xpath))
        if (!(await element?.isDisplayed())) return false
        if (element) await work(element)
        return true
      } catch (reason) {
        if (NOT_YET.some((kind) => reason instanceof kind)) return false
        throw reason
      }
    },
    WAIT_MS,
    `Nothing is shown that fits ${xpath}`,
  )
}

async function end(started: ChildProcess[]): Promise<void> {
  for (const child of started.toReversed()) await endProgram(child)
}
