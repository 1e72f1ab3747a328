import { expect, type Page, test } from '@playwright/test'
import type { Conversation } from '#contract/advisor.ts'
import { ask, visit, visitIn } from './bank.ts'

const log = (page: Page) => page.getByRole('log', { name: 'Conversation' })
const field = (page: Page) => page.getByRole('textbox', { name: 'Ask about your money' })
const send = (page: Page) => page.getByRole('button', { name: 'Send', exact: true })
const prompt = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const exchanges = async (page: Page) => (await ask<Conversation>(page, '/advisor')).exchanges

const PROMPTS = ['How can I save more?', 'Investment tips', 'Reduce my spending']

async function open(page: Page): Promise<void> {
  const loaded = page.waitForResponse((response) => response.url().endsWith('/api/v1/advisor'))
  await page.goto('/ai-advisor')
  await loaded
}

test('greets, suggests what to ask, and replies a second later with figures of this customer', async ({ page }) => {
  await visit(page)
  await page.clock.install()
  await open(page)
  await expect(page.getByRole('heading', { name: 'AI Advisor', level: 1 })).toBeVisible()
  await expect(log(page)).toContainText("Hi! I'm your AI advisor.")
  for (const name of PROMPTS) await expect(prompt(page, name)).toBeVisible()
  // A prompt fills the field and sends nothing.
  await prompt(page, 'Investment tips').click()
  await expect(field(page)).toHaveValue('Investment tips')
  await expect(field(page)).toBeFocused()
  await prompt(page, 'How can I save more?').click()
  await expect(field(page)).toHaveValue('How can I save more?')
  expect(await exchanges(page)).toEqual([])
  const answered = page.waitForResponse(
    (response) => response.request().method() === 'POST' && response.url().endsWith('/advisor/questions'),
  )
  // From here on no time passes by itself.
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1_000)
  await field(page).press('Enter')
  await expect(field(page)).toHaveValue('')
  await expect(log(page)).toContainText('How can I save more?')
  for (const name of PROMPTS) await expect(prompt(page, name)).toHaveCount(0)
  await expect(log(page)).toContainText('Looking at your figures…')
  await answered
  await page.clock.runFor(900)
  expect(await log(page).textContent()).not.toContain('$200')
  await page.clock.runFor(200)
  await page.clock.resume()
  await expect(log(page)).toContainText('You could set aside $200 per month')
  await expect(log(page)).toContainText(
    "You've spent 15% more on dining out than at this point last month: $255.30 instead of $222.",
  )
  // The figure leads to its payments.
  await log(page).getByRole('link', { name: 'Food & Drink' }).click()
  await expect(page).toHaveURL(/\/transactions\?category=food&from=2026-08-01&to=2026-08-31/)
  await page.goBack()
  await expect(log(page)).toContainText('You could set aside $200 per month')
  await expect(prompt(page, 'Investment tips')).toHaveCount(0)
})

test('ignores what is blank, sends by the button, keeps the conversation and clears it', async ({ page }) => {
  await visit(page)
  await open(page)
  await field(page).press('Enter')
  await field(page).fill('   ')
  await field(page).press('Enter')
  await send(page).click()
  await expect(prompt(page, 'Reduce my spending')).toBeVisible()
  expect(await exchanges(page)).toEqual([])
  await field(page).fill('Send $50 to Emma')
  await send(page).click()
  await expect(log(page)).toContainText("I can't move money or change anything, but you can do it here.")
  await expect(log(page).getByRole('link', { name: 'Send Money' })).toBeVisible()
  // A line break is no Enter.
  await field(page).fill('xyzzy')
  await field(page).press('Shift+Enter')
  await expect(field(page)).toHaveValue('xyzzy\n')
  await field(page).press('Enter')
  await expect(log(page)).toContainText("I can't answer that.")
  await expect(log(page)).toContainText('You can ask me about your spending')
  await open(page)
  await expect(log(page)).toContainText('Send $50 to Emma')
  expect((await exchanges(page)).map(({ question }) => question)).toEqual(['Send $50 to Emma', 'xyzzy'])
  await page.getByRole('button', { name: 'Clear Conversation' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  expect(await exchanges(page)).toHaveLength(2)
  await page.getByRole('button', { name: 'Clear Conversation' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Clear Conversation' }).click()
  await expect(prompt(page, 'Reduce my spending')).toBeVisible()
  expect(await exchanges(page)).toEqual([])
})

test('what a model writes is text and nothing else; what could not be sent is sent once', async ({ page, context }) => {
  await visit(page)
  let posts = 0
  await page.route('**/api/v1/advisor/questions', async (route) => {
    posts += 1
    if (posts === 1) return route.abort()
    const response = await route.fetch()
    const json = await response.json()
    const prose = '<img src=x onerror="document.title=1"> [pay](/transfer) **now** ' + 'w'.repeat(200)
    await route.fulfill({ response, json: { ...json, prose, statements: [], links: [{ screen: 'savings' }] } })
  })
  await open(page)
  await field(page).fill('W'.repeat(300))
  await field(page).press('Enter')
  await page.getByRole('button', { name: 'Try Again' }).click()
  await expect(log(page)).toContainText('<img src=x')
  await expect(log(page).locator('img')).toHaveCount(0)
  await expect(log(page).getByRole('link')).toHaveText(['Savings'])
  expect(await exchanges(page)).toHaveLength(1)
  await page.setViewportSize({ width: 320, height: 700 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
  // Without a line nothing is sent, and what was said stays.
  await context.setOffline(true)
  await page.evaluate(() => window.dispatchEvent(new Event('offline')))
  await expect(page.getByText("You can ask again once you're back online.")).toBeVisible()
  await expect(send(page)).toBeDisabled()
  await field(page).fill('Hello')
  await field(page).press('Enter')
  await expect(field(page)).toHaveValue('Hello')
  await context.setOffline(false)
})

test('shows a question in its own direction, at its own side, whatever the bank speaks', async ({ page }) => {
  await visitIn(page, 'ar')
  await open(page)
  await page.getByRole('textbox').fill('How much did I spend on food?')
  await page.getByRole('textbox').press('Enter')
  const question = page.getByText('How much did I spend on food?', { exact: true })
  await expect(question).toHaveCSS('direction', 'ltr')
  const middle = async () => {
    const { x, width } = (await question.boundingBox()) ?? { x: NaN, width: NaN }
    return x + width / 2
  }
  // It is drawn anew once the bank has it.
  await expect.poll(middle).toBeLessThan(390 / 2)
})
