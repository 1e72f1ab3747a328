import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import { type Browser, expect, type Page, test } from '@playwright/test'
import type { TwoFactorSetup } from '#contract/identity.ts'
import { readAvailable, authenticatorCode, readNewest, originOf, signIn, findToast, visit } from './bank.ts'

/** Returns a reviewer of the sample bank with an authenticator app and its next code. */
async function reviewer(browser: Browser): Promise<{ page: Page; nextCode: () => string }> {
  const page = await (await browser.newContext()).newPage()
  const email = `reviewer.${randomUUID()}@example.com`
  await signIn(page, email, randomUUID())
  const origin = await originOf(page)
  const answer = await page.request.post('/api/v1/two-factor/setup', { headers: { origin } })
  const { oneTimeToken, secret } = (await answer.json()) as TwoFactorSetup
  const code = authenticatorCode(secret)
  const setup = await page.request.post('/api/v1/two-factor', { headers: { origin }, data: { oneTimeToken, code } })
  expect(setup.ok()).toBe(true)
  const env = { ...process.env, DATA_DIR: process.env['ALDER_E2E_DIR'] }
  await promisify(execFile)(process.execPath, ['server/cli/reviewer.ts', email], { env })
  // Each code is valid once, and the bank also accepts the code of the next step.
  return { page, nextCode: () => authenticatorCode(secret, 1) }
}

test('a customer disputes a card payment, is credited, and sees the decision live', async ({ page, browser }) => {
  await visit(page)
  const availableBefore = await readAvailable(page)
  const payment = (await readNewest(page, 20)).find(({ paymentMethod }) => paymentMethod?.code === 'debit_card')
  if (!payment) throw new Error('The sample history has no card payment')
  const amountMinor = -payment.amountMinor
  await page.goto(`/transaction-detail?id=${payment.id}`)
  await page.getByRole('button', { name: 'Report a Problem' }).click()
  const sheet = page.getByRole('dialog', { name: 'Report a problem' })
  await sheet.getByLabel("I didn't make this payment").check()
  const description = `I was at home. ${randomUUID()}`
  await sheet.getByLabel('What happened? (optional)').fill(description)
  await sheet.getByRole('button', { name: 'Report', exact: true }).click()
  await expect(findToast(page, "Thank you. We're looking into it.")).toBeVisible()
  expect(await readAvailable(page)).toBe(availableBefore + amountMinor)
  expect((await readNewest(page, 1))[0]).toMatchObject({ name: { code: 'dispute.credit' }, amountMinor })

  const { page: desk, nextCode } = await reviewer(browser)
  await desk.goto('/review')
  await desk.getByRole('link', { name: 'Disputes' }).click()
  const waitingRow = desk.getByRole('listitem').filter({ hasText: description })
  await waitingRow.getByLabel('Answer to the Customer').fill('The shop has your signature.')
  await waitingRow.getByRole('button', { name: 'Decline' }).click()
  await desk.getByRole('textbox', { name: 'Code' }).fill(nextCode())
  await expect(findToast(desk, 'Declined. ')).toBeVisible()
  await expect(waitingRow).toBeHidden()

  await expect(page.getByRole('heading', { name: 'Dispute declined' })).toBeVisible()
  await expect(page.getByText('The shop has your signature.')).toBeVisible()
  await expect(page.getByText(/We've reversed \$[\d.,]+ of our credit\./)).toBeVisible()
  expect(await readAvailable(page)).toBe(availableBefore)
  await desk.context().close()
})
