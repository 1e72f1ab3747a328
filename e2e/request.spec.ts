import { expect, type Page, test } from '@playwright/test'
import { lineNamed } from '#contract/line-texts.ts'
import { readAvailable, readNewest, visitAsAnother, findToast, visit } from './bank.ts'

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

test('Ann sends Ben a request; he sees it live, pays a part and then the rest', async ({ page: ann, browser }) => {
  const { fullName: annName } = await visit(ann)
  const { page: ben, customer } = await visitAsAnother(browser)
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
  await expect(findToast(ben, `You paid ${annName} $15.00`)).toBeVisible()
  // Ann's screen shows the request while it is paid.
  await expect(dialog(ann).getByText(`${customer.fullName} paid $15.00`)).toBeVisible()
  await expect(dialog(ann).getByText('$25.00 left')).toBeVisible()
  await dialog(ben).getByRole('button', { name: 'Pay $25.00' }).click()
  await expect(dialog(ann).getByText(`${customer.fullName} paid $25.00`)).toBeVisible()
  await expect(dialog(ann).getByText('Paid', { exact: true })).toBeVisible()
  expect([await readAvailable(ann), await readAvailable(ben)]).toEqual([START_MINOR + 40_00, START_MINOR - 40_00])
  expect(await readNewest(ben, 2)).toMatchObject([
    { name: lineNamed(annName), amountMinor: -25_00, note: 'Dinner', status: 'completed' },
    { name: lineNamed(annName), amountMinor: -15_00, note: 'Dinner' },
  ])
  expect((await readNewest(ann, 1))[0]).toMatchObject({ name: lineNamed(customer.fullName), amountMinor: 25_00 })
  await ben.context().close()
})

test('a payment link is shared, and paid by another customer', async ({ page: ann, browser }) => {
  const { fullName: annName } = await visit(ann)
  const { page: ben } = await visitAsAnother(browser)
  await ann.goto('/request')
  await ann.getByLabel('Amount').fill('30')
  await ann.getByLabel('Note (optional)').fill('Present')
  await ann.getByRole('button', { name: 'Share a Link' }).click()
  const address = dialog(ann).getByText(/\/request\?link=/)
  const link = new URL((await address.textContent()) ?? '')
  await ann.goto(link.pathname + link.search)
  await expect(ann.getByText("You're asking anyone with this link for")).toBeVisible()

  await ben.goto(link.pathname + link.search)
  await expect(ben.getByText(`${annName} requested`)).toBeVisible()
  await expect(ben.getByText('Present')).toBeVisible()
  await ben.getByRole('button', { name: 'Pay $30.00' }).click()
  await expect(findToast(ben, `You paid ${annName} $30.00`)).toBeVisible()
  await expect(ben).toHaveURL('/dashboard')
  expect([await readAvailable(ann), await readAvailable(ben)]).toEqual([START_MINOR + 30_00, START_MINOR - 30_00])
  await expect(ann.getByText('Paid', { exact: true })).toBeVisible()
  await ben.context().close()
})
