import { expect, type Page, test } from '@playwright/test'
import type { Bill } from '#contract/bills.ts'
import { readFromBank, readNewest, postToBank, visitAsAnother, findToast, visit } from './bank.ts'

const bills = async (page: Page) => (await readFromBank<{ bills: Bill[] }>(page, '/bills')).bills

async function addPerson(page: Page, name: string, address: string): Promise<void> {
  await page.getByRole('button', { name: 'Add Someone Else' }).click()
  const sheet = page.getByRole('dialog', { name: 'Add someone' })
  await sheet.getByLabel('Name').fill(name)
  await sheet.getByLabel('Email or Phone').fill(address)
  await sheet.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(sheet).toBeHidden()
}

test('a payment is split among three people, who pay from their own phones, and the bill settles itself', async ({
  page,
  browser,
}) => {
  await visit(page)
  const [ben, cat] = [await visitAsAnother(browser), await visitAsAnother(browser)]
  const payment = (await readNewest(page, 20)).find(
    ({ amountMinor, category }) => amountMinor < 0 && category === 'food',
  )
  if (!payment) throw new Error('The sample history has no food payment')
  await page.goto(`/transaction-detail?id=${payment.id}`)
  await page.getByRole('link', { name: 'Split', exact: true }).click()
  await expect(page.getByLabel('Description (optional)')).not.toHaveValue('')
  const total = Math.abs(payment.amountMinor)
  await addPerson(page, 'Ben', ben.customer.email)
  await addPerson(page, 'Cat', cat.customer.email)
  await page.getByRole('button', { name: 'Split Bill' }).click()
  await expect(findToast(page, 'Bill split!')).toBeVisible()
  const [bill] = await bills(page)
  const share = Math.floor(total / 3)
  expect(bill).toMatchObject({ totalMinor: total, ownMinor: total - 2 * share })
  await page.goto('/split-bill')
  await expect(page.getByText(/\$0\.00 of .* paid/)).toBeVisible()
  for (const [index, { page: friendPage }] of [ben, cat].entries()) {
    await friendPage.goto(`/request?id=${bill?.shares[index]?.requestId}`)
    await friendPage.getByRole('button', { name: /^Pay \$/ }).click()
    await expect.poll(async () => (await bills(page))[0]?.shares[index]?.status).toBe('paid')
  }
  await expect(page.getByText('Settled', { exact: false }).first()).toBeVisible()
  expect((await bills(page))[0]).toMatchObject({ status: 'settled', paidMinor: 2 * share })
  await ben.page.context().close()
  await cat.page.context().close()
})

test('a group keeps its balance and settles up', async ({ page, browser }) => {
  await visit(page)
  const ben = await visitAsAnother(browser)
  await page.goto('/split-bill')
  await page.getByRole('button', { name: 'New Group' }).click()
  const maker = page.getByRole('dialog', { name: 'New Group' })
  await maker.getByLabel('Name').fill('Flat')
  await addPerson(page, 'Ben', ben.customer.email)
  await maker.getByRole('button', { name: 'Create Group' }).click()
  await expect(findToast(page, 'Flat is ready. Everyone has been invited.')).toBeVisible()
  const group = page.getByRole('dialog', { name: 'Flat' })
  await expect(group.getByText('Invited')).toBeVisible()

  await ben.page.goto('/split-bill')
  await ben.page.getByRole('button', { name: /Flat.*You're invited/ }).click()
  await ben.page.getByRole('dialog', { name: 'Flat' }).getByRole('button', { name: 'Join' }).click()
  await expect(findToast(ben.page, 'You joined Flat')).toBeVisible()

  await group.getByRole('button', { name: 'Add a Bill I Paid' }).click()
  await group.getByLabel('Total Amount').fill('60')
  await group.getByLabel('Description (optional)').fill('Electricity')
  await group.getByRole('button', { name: 'Add Bill' }).click()
  await expect(group.getByText("You're owed $30.00")).toBeVisible()
  await expect(ben.page.getByRole('dialog').getByText('You owe $30.00')).toBeVisible()
  await group.getByRole('button', { name: 'Settle Up' }).click()
  await expect(findToast(page, "We've sent a request to everyone who owes money")).toBeVisible()
  const { received } = await readFromBank<{ received: { id: string; amountMinor: number }[] }>(
    ben.page,
    '/money-requests',
  )
  expect(received).toMatchObject([{ amountMinor: 30_00 }])

  await postToBank(ben.page, `/money-requests/${received[0]?.id}/payments`, { amountMinor: 30_00, asset: 'USD' })
  await expect(ben.page.getByRole('dialog', { name: 'Flat' }).getByText('All settled').first()).toBeVisible()
  await ben.page.context().close()
})
