import puppeteer from 'puppeteer-core'
import { type Engine, PHONE, WAIT_MS } from './engine.ts'

/** Firefox, driven over WebDriver BiDi. */
export async function openFirefox(executablePath: string): Promise<Engine> {
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath,
    headless: true,
    extraPrefsFirefox: { 'intl.accept_languages': 'en-US' },
  })
  const [page = await browser.newPage()] = await browser.pages()
  await page.setViewport(PHONE)
  page.setDefaultTimeout(WAIT_MS)
  const output: string[] = []
  page.on('pageerror', (error) => output.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error') output.push(message.text())
  })
  const find = (xpath: string) => page.locator(`::-p-xpath(${xpath})`)
  return {
    name: await browser.version(),
    async open(url) {
      await page.goto(url, { waitUntil: 'domcontentloaded' })
    },
    evaluate: <Result>(expression: string) => page.evaluate(expression) as Promise<Result>,
    press: (xpath) => find(xpath).click(),
    type: (xpath, text) => find(xpath).fill(text),
    async wait(xpath) {
      await find(xpath).wait()
    },
    picture: async () => Buffer.from(await page.screenshot()),
    errors: () => Promise.resolve(output.splice(0)),
    close: () => browser.close(),
  }
}
