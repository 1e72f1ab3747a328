import { expect, type Page, test } from '@playwright/test'
import { lineNamed } from '#contract/wording.ts'
import { available, newest, someoneElse, toast, visit } from './bank.ts'

const START_MINOR = 12_458_50

async function fill(page: Page, amount: string, from: string, note = ''): Promise<void> {
  await page.goto('/request')
  await page.getByLabel('Amount').fill(amount)
  await page.getByLabel('From').fill(from)
  if (note) await page.getByLabel('Note (optional)').fill(note)
}

const send = (page: Page) => page.getByRole('button', { name: 'Request Money' }).click()
const dialog = (page: Page) => page.getByRole('dialog')
const section = (page: Page, title: string) =>
  page.locator('section').filter({ has: page.getByRole('heading', { name: title }) })

test('Ann asks Ben, who is told live, and pays a part and then the rest', async ({ page: ann, browser }) => {
  const { fullName: annName } = await visit(ann)
  const { page: ben, customer } = await someoneElse(browser)
  await ben.goto('/request')
  await expect(ben.getByText('No requests yet')).toBeVisible()
  await fill(ann, '40', customer.email.toUpperCase(), 'Dinner')
  await send(ann)
  const strangers = section(ben, "Requests from people you don't know")
  await expect(strangers.getByRole('link', { name: new RegExp(`${annName}.*\\$40\\.00`) })).toBeVisible()

  await ann.goto('/request')
  await section(ann, 'Sent')
    .getByRole('link', { name: /\$40\.00/ })
    .click()
  await strangers.getByRole('link', { name: new RegExp(annName) }).click()
  await expect(ben).toHaveURL(/\/request\?id=/)
  await expect(dialog(ben).getByText('Dinner')).toBeVisible()
  await dialog(ben).getByRole('button', { name: 'Pay a Part' }).click()
  await dialog(ben).getByLabel('Amount').fill('15')
  await dialog(ben).getByRole('button', { name: 'Pay $15.00' }).click()
  await expect(toast(ben, `You paid ${annName} $15.00`)).toBeVisible()
  // Ann is looking at the request while it is paid.
  await expect(dialog(ann).getByText(`${customer.fullName} paid $15.00`)).toBeVisible()
  await expect(dialog(ann).getByText('$25.00 left')).toBeVisible()
  await dialog(ben).getByRole('button', { name: 'Pay $25.00' }).click()
  await expect(dialog(ann).getByText(`${customer.fullName} paid $25.00`)).toBeVisible()
  await expect(dialog(ann).getByText('Paid', { exact: true })).toBeVisible()
  expect([await available(ann), await available(ben)]).toEqual([START_MINOR + 40_00, START_MINOR - 40_00])
  expect(await newest(ben, 2)).toMatchObject([
    { name: lineNamed(annName), amountMinor: -25_00, note: 'Dinner', status: 'completed' },
    { name: lineNamed(annName), amountMinor: -15_00, note: 'Dinner' },
  ])
  expect((await newest(ann, 1))[0]).toMatchObject({ name: lineNamed(customer.fullName), amountMinor: 25_00 })
  await ben.context().close()
})

test('a link that anyone can pay is shared, and paid by somebody else', async ({ page: ann, browser }) => {
  const { fullName: annName } = await visit(ann)
  const { page: ben } = await someoneElse(browser)
  await ann.goto('/request')
  await ann.getByLabel('Amount').fill('30')
  await ann.getByLabel('Note (optional)').fill('Present')
  await ann.getByRole('button', { name: 'Share a Link' }).click()
  const address = dialog(ann).getByText(/\/request\?link=/)
  const link = new URL((await address.textContent()) ?? '')
  await ann.goto(link.pathname + link.search)
  await expect(ann.getByText('You requested from anyone with this link')).toBeVisible()

  await ben.goto(link.pathname + link.search)
  await expect(ben.getByText(`${annName} requested`)).toBeVisible()
  await expect(ben.getByText('Present')).toBeVisible()
  await ben.getByRole('button', { name: 'Pay $30.00' }).click()
  await expect(toast(ben, `You paid ${annName} $30.00`)).toBeVisible()
  await expect(ben).toHaveURL('/dashboard')
  expect([await available(ann), await available(ben)]).toEqual([START_MINOR + 30_00, START_MINOR - 30_00])
  await expect(ann.getByText('Paid', { exact: true })).toBeVisible()
  await ben.context().close()
})
