import { expect, type Page, test } from '@playwright/test'
import { visit } from './bank.ts'

const log = (page: Page) => page.getByRole('log', { name: 'Conversation' })
const field = (page: Page) => page.getByRole('textbox', { name: 'Ask about your money' })

async function open(page: Page): Promise<void> {
  const loaded = page.waitForResponse((response) => response.url().endsWith('/api/v1/advisor'))
  await page.goto('/ai-advisor')
  await loaded
}

test('replies a second later with the customer’s figures, and keeps the conversation', async ({ page }) => {
  await visit(page)
  await page.clock.install()
  await open(page)
  await expect(log(page)).toContainText("Hi! I'm your AI advisor.")
  await field(page).fill('How can I save more?')
  const answer = page.waitForResponse(
    (response) => response.request().method() === 'POST' && response.url().endsWith('/advisor/questions'),
  )
  // The test moves the clock from here on.
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 10_000)
  await field(page).press('Enter')
  await answer
  await page.clock.runFor(900)
  expect(await log(page).textContent()).not.toContain('$200')
  await page.clock.runFor(200)
  await page.clock.resume()
  await expect(log(page)).toContainText('You could set aside $200 a month')
  await expect(log(page)).toContainText(
    "You've spent 15% more on dining out than at this point last month: $255.30 compared with $222.",
  )
  await open(page)
  await expect(log(page)).toContainText('You could set aside $200 a month')
})

test('shows how it understood the question, continues the previous question, and shows the help article', async ({
  page,
}) => {
  await visit(page)
  await open(page)
  const say = async (question: string) => {
    await field(page).fill(question)
    await field(page).press('Enter')
    await expect(log(page).getByText('Looking at your figures…')).toHaveCount(0)
  }
  await say('What did coffee cost me in July?')
  await expect(log(page)).toContainText('Coffee, July 2026:')
  await say('and in June?')
  await expect(log(page)).toContainText('Coffee, June 2026:')
  await say('Did I spend more than $500 on food?')
  await expect(log(page)).toContainText("I can't answer that.Here's what I understood: ")
  await expect(log(page)).toContainText('You could ask me, for example:')
  await say('How do I dispute a payment?')
  await expect(log(page)).toContainText('Report a card payment problem')
  await log(page).getByRole('link', { name: 'Read the Article' }).click()
  await expect(page).toHaveURL(/\/help-center\/article\?id=report_payment/)
  await expect(page.getByRole('heading', { name: 'Report a card payment problem' })).toBeVisible()
})
