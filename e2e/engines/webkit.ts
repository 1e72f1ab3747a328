import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Builder, By, Capabilities, error, type WebDriver, type WebElement } from 'selenium-webdriver'
import { freePort } from '#server/platform/process/free-port.ts'
import { endProgram } from '../../scripts/run.mjs'
import { type Engine, PHONE, WAIT_MS } from './engine.ts'

export type WebKit = { driver: string; browser: string }

/** Records errors in the page itself, because WebDriver does not report them. */
const KEEP_ERRORS = `if (!window.kept) {
  window.kept = []
  addEventListener('error', (event) => kept.push(String(event.message)))
  addEventListener('unhandledrejection', (event) => kept.push(String(event.reason)))
}`

/** The height of MiniBrowser's toolbar with the styles in gtk/gtk-3.0/gtk.css. */
const TOOL_BAR_PX = 20

/** Opens WebKitGTK, driven over WebDriver, on a display of its own. */
export async function openWebKit({ driver: program, browser }: WebKit): Promise<Engine> {
  const startedProcesses: ChildProcess[] = []
  try {
    const display = await openDisplay(startedProcesses)
    const port = await freePort()
    const settings = fileURLToPath(new URL('gtk', import.meta.url))
    const env = { ...process.env, DISPLAY: display, GDK_BACKEND: 'x11', XDG_CONFIG_HOME: settings, LANG: 'en_US.UTF-8' }
    startedProcesses.push(spawn(program, [`--port=${port}`], { env, stdio: 'ignore' }))
    const options = { binary: browser, args: ['--automation'] }
    const capabilities = new Capabilities({ 'webkitgtk:browserOptions': options }).setBrowserName('MiniBrowser')
    const driver = await buildDriver(port, capabilities)
    await driver
      .manage()
      .window()
      .setRect({ x: 0, y: 0, width: PHONE.width, height: PHONE.height + TOOL_BAR_PX })
    const session = await driver.getCapabilities()
    return {
      name: `WebKitGTK ${session.getBrowserVersion() ?? ''}`.trim(),
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
        await end(startedProcesses)
      },
    }
  } catch (reason) {
    await end(startedProcesses)
    throw reason
  }
}

/** Starts a virtual display. Returns its name for the programs that use it. */
async function openDisplay(startedProcesses: ChildProcess[]): Promise<string> {
  const child = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1400x900x24'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  startedProcesses.push(child)
  const output = child.stdio[3]
  if (!output) throw new Error('Xvfb cannot report its display')
  const [number] = (await Promise.race([once(output, 'data'), failed(child, 'Xvfb')])) as [Buffer]
  return `:${String(number).trim()}`
}

async function failed(child: ChildProcess, name: string): Promise<never> {
  await once(child, 'exit')
  throw new Error(`${name} ended before it was ready`)
}

const TRIES = 40
const PAUSE_MS = 250

/** Requests a window until the driver answers, because the driver needs a moment after its start. */
async function buildDriver(port: number, capabilities: Capabilities): Promise<WebDriver> {
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

/** The page has replaced the element, or the element is visible but not yet interactable. */
const NOT_YET = [error.StaleElementReferenceError, error.ElementNotInteractableError]

/** Waits until an element is visible and interactable, and calls `work` with it. */
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

async function end(startedProcesses: ChildProcess[]): Promise<void> {
  for (const child of startedProcesses.toReversed()) await endProgram(child)
}
