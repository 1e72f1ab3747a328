import { expect, type Page, test } from '@playwright/test'
import type { RequestList } from '#contract/requests.ts'
import { lineNamed } from '#contract/wording.ts'
import { arrive, ask, available, goTo, newest, post, someoneElse, speak, toast, visit, visitIn } from './bank.ts'

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
const requests = (page: Page) => ask<RequestList>(page, '/money-requests')

test('checks the amount, then whom; a recent contact fills From; it is sent, said and moves nothing', async ({
  page,
}) => {
  await arrive(page)
  await page.getByRole('link', { name: 'Request', exact: true }).first().click()
  await expect(page).toHaveURL('/request')
  await expect(page.getByRole('heading', { level: 1, name: 'Request Money' })).toBeVisible()
  await expect(page.getByText('No requests yet')).toBeVisible()

  await send(page)
  await expect(toast(page, 'Please enter a valid amount')).toBeVisible()
  await expect(page.getByLabel('Amount')).toBeFocused()
  await page.getByLabel('Amount').fill('0')
  await send(page)
  await expect(toast(page, 'Please enter a valid amount')).toBeVisible()
  await page.getByLabel('Amount').fill('25.5')
  await send(page)
  await expect(toast(page, 'Please select a recipient')).toBeVisible()
  await expect(page.getByLabel('From')).toBeFocused()

  const contacts = section(page, 'Recent Contacts').getByRole('button')
  await expect(contacts).toHaveCount(3)
  await contacts.filter({ hasText: 'Mike Chen' }).click()
  await expect(page.getByLabel('From')).toHaveValue('mike.chen@example.com')
  await page.getByLabel('Note (optional)').fill('Pizza')
  await send(page)
  await expect(toast(page, 'Request sent for $25.50!')).toBeVisible()
  await expect(page).toHaveURL('/request')
  await expect(page).toHaveURL('/dashboard', { timeout: 3_000 })

  expect(await available(page)).toBe(START_MINOR)
  expect((await requests(page)).sent).toMatchObject([
    { name: 'Mike Chen', amountMinor: 25_50, note: 'Pizza', status: 'open', paidMinor: 0 },
  ])
  await page.goto('/request')
  await section(page, 'You Asked')
    .getByRole('link', { name: /Mike Chen/ })
    .click()
  await dialog(page).getByRole('button', { name: 'Send a Reminder' }).click()
  await expect(toast(page, 'You reminded Mike Chen')).toBeVisible()
  await expect(dialog(page).getByText('Reminder sent')).toBeVisible()
  await expect(dialog(page).getByRole('button', { name: 'Send a Reminder' })).toBeDisabled()
  await dialog(page).getByRole('button', { name: 'Cancel Request' }).click()
  await dialog(page).getByRole('button', { name: 'Cancel Request' }).click()
  await expect(toast(page, 'You cancelled the request')).toBeVisible()
  await expect(dialog(page)).toHaveCount(0)
  await expect(section(page, 'You Asked').getByText('Cancelled')).toBeVisible()
  await page.getByLabel('Amount').fill('5')
  await page.getByLabel('From').fill((await ask<{ customer: { email: string } }>(page, '/me')).customer.email)
  await send(page)
  await expect(toast(page, "You can't request money from yourself")).toBeVisible()
  expect(await available(page)).toBe(START_MINOR)
})

test('Ann asks Ben, who is told live, pays a part and then the rest, declines the next and blocks', async ({
  page: ann,
  browser,
}) => {
  const { fullName: annName } = await visit(ann)
  const { page: ben, customer } = await someoneElse(browser)
  await ben.goto('/request')
  await expect(ben.getByText('No requests yet')).toBeVisible()
  await fill(ann, '40', customer.email.toUpperCase(), 'Dinner')
  await send(ann)
  const strangers = section(ben, "Requests from people you don't know")
  await expect(strangers.getByRole('link', { name: new RegExp(`${annName}.*\\$40\\.00`) })).toBeVisible()

  await ann.goto('/request')
  await section(ann, 'You Asked')
    .getByRole('link', { name: /\$40\.00/ })
    .click()
  await strangers.getByRole('link', { name: new RegExp(annName) }).click()
  await expect(ben).toHaveURL(/\/request\?id=/)
  await expect(dialog(ben).getByText('Dinner')).toBeVisible()
  await dialog(ben).getByRole('button', { name: 'Pay a Part' }).click()
  await dialog(ben).getByLabel('Amount').fill('40.01')
  await dialog(ben).getByRole('button', { name: 'Pay $40.01' }).click()
  await expect(toast(ben, 'This is more than is left to pay')).toBeVisible()
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

  // They have dealt with each other by now: the next one stands on the dashboard.
  await goTo(ben, '/dashboard')
  await expect(ben.getByRole('link', { name: 'See All' })).toBeVisible()
  await fill(ann, '9', customer.email, 'Taxi')
  await send(ann)
  const card = ben.getByRole('region', { name: 'Money request' })
  await expect(card).toContainText(`${annName} asks you for $9.00`)
  await card.getByRole('link').click()
  await dialog(ben).getByRole('button', { name: 'Decline' }).click()
  await expect(dialog(ben)).toContainText('No money moves')
  await dialog(ben).getByRole('button', { name: 'Decline Request' }).click()
  await expect(toast(ben, 'You declined the request')).toBeVisible()
  await ann.goto('/request')
  await expect(section(ann, 'You Asked').getByText('Declined')).toBeVisible()

  await post(ann, '/money-requests', { recipient: customer.email, amountMinor: 1_00, asset: 'USD' })
  await section(ben, 'Asked of You')
    .getByRole('link', { name: /\$1\.00/ })
    .click()
  await dialog(ben).getByRole('button', { name: 'Block or Report' }).click()
  await dialog(ben).getByRole('button', { name: 'Report and Block' }).click()
  await expect(toast(ben, `You reported and blocked ${annName}`)).toBeVisible()
  await expect(section(ben, 'Asked of You')).toHaveCount(0)
  await post(ann, '/money-requests', { recipient: customer.email, amountMinor: 2_00, asset: 'USD' })
  expect((await requests(ben)).received).toEqual([])
  await ben.getByRole('button', { name: `Unblock ${annName}` }).click()
  await expect(section(ben, 'Asked of You').getByRole('link', { name: /\$1\.00/ })).toBeVisible()
  expect((await requests(ben)).received.map(({ amountMinor }) => amountMinor)).not.toContain(2_00)
  expect([await available(ann), await available(ben)]).toEqual([START_MINOR + 40_00, START_MINOR - 40_00])
  await ben.context().close()
})

test('a link that anyone can pay is shared, and paid by somebody else; a friend asks from the sample panel', async ({
  page: ann,
  browser,
}) => {
  const { fullName: annName } = await visit(ann)
  const { page: ben } = await someoneElse(browser)
  await ann.goto('/request')
  await ann.getByRole('button', { name: 'Share a Link' }).click()
  await expect(toast(ann, 'Please enter a valid amount')).toBeVisible()
  await ann.getByLabel('Amount').fill('30')
  await ann.getByLabel('Note (optional)').fill('Present')
  await ann.getByRole('button', { name: 'Share a Link' }).click()
  const address = dialog(ann).getByText(/\/request\?link=/)
  const link = new URL((await address.textContent()) ?? '')
  await ann.goto(link.pathname + link.search)
  await expect(ann.getByText('You ask anyone with this link for')).toBeVisible()

  await ben.goto(link.pathname + link.search)
  await expect(ben.getByText(`${annName} asks you for`)).toBeVisible()
  await expect(ben.getByText('Present')).toBeVisible()
  await ben.getByRole('button', { name: 'Pay $30.00' }).click()
  await expect(toast(ben, `You paid ${annName} $30.00`)).toBeVisible()
  await expect(ben).toHaveURL('/dashboard', { timeout: 4_000 })
  expect([await available(ann), await available(ben)]).toEqual([START_MINOR + 30_00, START_MINOR - 30_00])
  await expect(ann.getByText('Paid', { exact: true })).toBeVisible()
  await ben.goto('/request?link=AAAA')
  await expect(ben.getByText("This request link isn't valid")).toBeVisible()

  await ben.goto('/sample')
  await ben.getByRole('button', { name: 'Be Asked for Money' }).click()
  await expect(toast(ben, 'asks you for $')).toBeVisible()
  await ben.goto('/dashboard')
  await expect(ben.getByRole('region', { name: 'Money request' })).toBeVisible()
  await ben.context().close()
})

test('each of its buttons says what it does on one line, in the languages with long words too', async ({ page }) => {
  for (const language of ['en', 'es', 'pl']) {
    await visitIn(page, language)
    await page.goto('/request')
    await expect(page.locator('html')).toHaveAttribute('lang', language)
    const submit = page.locator('form button[type=submit]')
    await expect(submit).toBeVisible()
    const buttons = submit.locator('..').getByRole('button')
    const heights = await buttons.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height))
    expect(heights, language).toEqual([52, 52])
  }
})

test('in Arabic, who asks stands beside their picture, at the right', async ({ page }) => {
  await visit(page)
  await post(page, '/sample/requests')
  await speak(page, 'ar')
  await page.goto('/request')
  const row = page.locator('main section li a').first()
  const right = await row.locator('bdi').evaluate((name) => {
    const text = document.createRange()
    text.selectNodeContents(name)
    return [text.getBoundingClientRect().right, name.getBoundingClientRect().right]
  })
  expect(right[0]).toBeCloseTo(right[1] ?? NaN, 0)
})

test('what is said of a link without an amount goes as soon as one is typed', async ({ page }) => {
  await visit(page)
  await page.goto('/request')
  await page.getByRole('button', { name: 'Share a Link' }).click()
  const refusal = toast(page, 'Please enter a valid amount')
  await expect(refusal).toBeVisible()
  // It would be gone by itself after four seconds.
  await page.getByLabel('Amount').fill('5')
  await expect(refusal).toHaveCount(0, { timeout: 1_500 })
})
