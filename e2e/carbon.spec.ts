import { readFileSync } from 'node:fs'
import { expect, type Page, test } from '@playwright/test'
import type { CarbonCertificate, CarbonFootprint } from '#contract/carbon.ts'
import type { Notice } from '#contract/notifications.ts'
import { ask, available, newest, openListening, post, press, someoneElse, toast, visit } from './bank.ts'

const footprint = (page: Page, month = '') => ask<CarbonFootprint>(page, `/carbon${month && `?month=${month}`}`)
const certificates = async (page: Page) =>
  (await ask<{ certificates: CarbonCertificate[] }>(page, '/carbon/certificates')).certificates
const total = (page: Page) => page.getByRole('region', { name: 'Your Footprint' })
const offsetting = (page: Page) => page.getByRole('region', { name: 'Carbon Offset' })
const offset = (page: Page) => offsetting(page).getByRole('button')
const section = (page: Page, name: string) => page.getByRole('main').locator('section').filter({ hasText: name })
const sheet = (page: Page) => page.getByRole('dialog')

const PARTS = [
  ['Transport', '45 kg', '36%', '$210.00 spent', '214 g per dollar', 'Walk or cycle short trips.'],
  ['Shopping', '32 kg', '26%', '$380.00 spent', '84 g per dollar', 'Look for second-hand first.'],
  ['Food', '28 kg', '23%', '$520.00 spent', '54 g per dollar', 'Try a few meals a week without meat.'],
  ['Energy', '18 kg', '15%', '$210.00 spent', '86 g per dollar', 'Turn the heating down by one degree.'],
] as const

test('shows what the month emitted: four categories with shares and tips, their sum, and what offsetting it costs', async ({
  page,
}) => {
  await visit(page)
  await page.goto('/carbon-footprint')
  await expect(page.getByRole('heading', { name: 'Carbon Footprint', level: 1 })).toBeVisible()
  await expect(page).toHaveTitle('Carbon Footprint · Alder')
  const parts = section(page, 'By Category')
    .locator('section > div > ul > li, div > ul > li')
    .filter({
      has: page.getByRole('heading', { level: 3 }),
    })
  await expect(parts.getByRole('heading')).toHaveText(PARTS.map(([name]) => name))
  for (const [index, [name, weight, share, spent, factor, tip]] of PARTS.entries()) {
    const part = parts.nth(index)
    for (const said of [weight, share, spent]) await expect(part).toContainText(said)
    await expect(part.getByRole('progressbar', { name: `Share of ${name}` })).toHaveAttribute(
      'aria-valuenow',
      share.replace('%', ''),
    )
    await expect(part.getByRole('list', { name: `Tips for ${name}` }).getByRole('listitem')).toHaveCount(2)
    await expect(part.getByText(tip)).toBeVisible()
    await expect(section(page, 'How We Estimate')).toContainText(`${name}${factor}`)
  }
  // The sum.
  await expect(total(page)).toContainText('123 kg CO₂')
  await expect(total(page)).toContainText('August 2026')
  const { grams, categories } = await footprint(page)
  expect(categories.reduce((sum, one) => sum + one.grams, 0)).toBe(grams)
  // The total times 0.15, beside the kilograms.
  await expect(offset(page)).toHaveText('Offset 123 kg for $18.45')
  await expect(offsetting(page)).toContainText('$0.15 a kilogram')
  // What the figures are, and where they come from.
  await expect(total(page)).toContainText('Estimated from what you spent')
  await expect(page.getByText("The factors are Alder's own")).toContainText('come from no official source')
  await expect(page.getByText('Your Certificates')).toHaveCount(0)
})

test('offsets a month once, keeps a certificate, and offers what is spent later', async ({ page }) => {
  await visit(page)
  const before = await available(page)
  await openListening(page, '/carbon-footprint')
  await press(offset(page))
  await expect(sheet(page)).toContainText('Offset 123 kg of CO₂?')
  await expect(sheet(page)).toContainText('that costs $18.45')
  await expect(sheet(page)).toContainText('This is a sample bank: nobody is paid')
  await sheet(page).getByRole('button', { name: 'Not Now' }).click()
  await expect(sheet(page)).toHaveCount(0)
  expect(await available(page)).toBe(before)

  await press(offset(page))
  await sheet(page).getByRole('button', { name: 'Pay $18.45' }).click()
  await expect(toast(page, '123 kg of CO₂ offset')).toBeVisible()
  const [certificate] = await certificates(page)
  const { id = '', number = '' } = certificate ?? {}
  await expect(toast(page, `Your certificate is ${number}`)).toBeVisible()
  expect(number).toMatch(/^CO2[0-9A-Z]{9}$/)
  await expect(offsetting(page)).toContainText('This month is offset')
  await expect(offset(page)).toHaveCount(0)
  await expect(total(page)).toContainText('123 kg CO₂')
  expect(await available(page)).toBe(before - 18_45)
  expect((await newest(page, 1))[0]).toMatchObject({ name: { code: 'carbon.offset' }, amountMinor: -18_45 })
  const { notices } = await ask<{ notices: Notice[] }>(page, '/notifications')
  expect(notices[0]).toMatchObject({ kind: 'carbon_offset', params: { grams: 123_000, certificate: number } })

  const row = section(page, 'Your Certificates').getByRole('button', { name: new RegExp(number) })
  await expect(row).toContainText('123 kg, ·August 2026, ·$18.45, ·Sample')
  const download = page.waitForEvent('download')
  await press(row)
  const file = await download
  expect(file.suggestedFilename()).toBe(`alder-certificate-${number}.pdf`)
  expect(
    readFileSync(await file.path())
      .subarray(0, 5)
      .toString(),
  ).toBe('%PDF-')

  // Live, with nothing pressed: $7.00 of transport are 1.5 kg, which cost 22.5 cents.
  await post(page, '/sample/charges', { category: 'transport', amountMinor: 7_00 })
  await expect(offset(page)).toHaveText('Offset 1.5 kg for $0.23')
  await expect(total(page)).toContainText('124.5 kg CO₂')
  await expect(offsetting(page)).toContainText('You offset 123 kg of CO₂.')
  await press(offset(page))
  await sheet(page).getByRole('button', { name: 'Pay $0.23' }).click()
  await expect(toast(page, '1.5 kg of CO₂ offset')).toBeVisible()
  await expect(section(page, 'Your Certificates').getByRole('listitem')).toHaveCount(2)
  expect((await certificates(page)).map((one) => [one.grams, one.amountMinor])).toEqual([
    [1_500, 23],
    [123_000, 18_45],
  ])
  expect((await certificates(page))[1]?.id).toBe(id)

  await page.goto('/notifications')
  await page.getByText('You offset 123 kg of CO₂ for $18.45.').click()
  await expect(page).toHaveURL('/carbon-footprint')
})

test('looks at past months, and offsets one of them', async ({ page }) => {
  await visit(page)
  await page.goto('/carbon-footprint')
  await expect(total(page)).toContainText('August 2026')
  await expect(page.getByRole('button', { name: 'Next Month' })).toBeDisabled()
  await page.getByRole('button', { name: 'Previous Month' }).click()
  await expect(total(page)).toContainText('July 2026')
  const july = await footprint(page, '2026-07')
  expect(july.grams).not.toBe(123_000)
  await expect(total(page)).toContainText(`${july.grams / 1000} kg CO₂`)
  await expect(offset(page)).toHaveText(new RegExp(`^Offset ${july.grams / 1000} kg for \\$`))
  await press(offset(page))
  await expect(sheet(page)).toContainText('July 2026')
  await sheet(page).getByRole('button', { name: /^Pay/ }).click()
  await expect(offsetting(page)).toContainText('This month is offset')
  expect(await footprint(page, '2026-07')).toMatchObject({ offsetGrams: july.grams, offset: null })
  expect(await footprint(page)).toMatchObject({ offsetGrams: 0 })
  await page.getByRole('button', { name: 'Next Month' }).click()
  await expect(offset(page)).toHaveText('Offset 123 kg for $18.45')
  for (const month of ['July', 'June', 'May', 'April', 'March', 'February', 'January']) {
    await page.getByRole('button', { name: 'Previous Month' }).click()
    await expect(total(page)).toContainText(`${month} 2026`)
  }
  await expect(page.getByRole('button', { name: 'Previous Month' })).toBeDisabled()
})

test('is refused where the money is not there, and where it was offset in another window', async ({
  page,
  browser,
}) => {
  await visit(page)
  await page.goto('/carbon-footprint')
  await expect(offset(page)).toBeEnabled()
  const friend = await someoneElse(browser)
  const amountMinor = (await available(page)) - 18_44
  await post(page, '/transfers', { recipient: friend.customer.email, amountMinor, asset: 'USD' })
  await press(offset(page))
  await sheet(page).getByRole('button', { name: 'Pay $18.45' }).click()
  await expect(toast(page, "You don't have enough money for this")).toBeVisible()
  expect(await available(page)).toBe(18_44)
  expect(await certificates(page)).toEqual([])

  await post(page, '/top-ups', { amountMinor: 100_00, asset: 'USD', method: 'card' })
  await press(offset(page))
  await expect(sheet(page)).toBeVisible()
  await post(page, '/carbon/offsets', { month: '2026-08', grams: 123_000, amountMinor: 18_45, asset: 'USD' })
  // Live: the screen knows by now, and what was asked before is still refused.
  await sheet(page).getByRole('button', { name: 'Pay $18.45' }).click()
  await expect(toast(page, "There's nothing left to offset in this month")).toBeVisible()
  expect(await certificates(page)).toHaveLength(1)
  expect(await available(page)).toBe(99_99)
})

test.describe('Dark Mode', () => {
  const canvas = (page: Page) => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
  const [LIGHT, DARK] = ['rgb(246, 244, 239)', 'rgb(15, 21, 19)']
  const dark = (page: Page) => page.getByRole('switch', { name: 'Dark Mode' })
  const device = (page: Page) => page.getByRole('switch', { name: 'Use Device Setting' })

  test('follows the device until it is chosen, and again where that is asked for', async ({ page }) => {
    await visit(page)
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.goto('/settings')
    await expect(dark(page)).toBeChecked()
    await expect(device(page)).toBeChecked()
    await page.emulateMedia({ colorScheme: 'light' })
    await expect(dark(page)).not.toBeChecked()
    await expect.poll(() => canvas(page)).toBe(LIGHT)

    await dark(page).click()
    await expect(dark(page)).toBeChecked()
    await expect(device(page)).not.toBeChecked()
    await expect.poll(() => canvas(page)).toBe(DARK)
    // As long as nobody says otherwise, whatever the device does.
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.emulateMedia({ colorScheme: 'light' })
    await expect.poll(() => canvas(page)).toBe(DARK)

    await device(page).click()
    await expect(device(page)).toBeChecked()
    await expect(dark(page)).not.toBeChecked()
    await expect.poll(() => canvas(page)).toBe(LIGHT)
    await page.reload()
    await expect(device(page)).toBeChecked()
    await page.emulateMedia({ colorScheme: 'dark' })
    await expect(dark(page)).toBeChecked()
    await expect.poll(() => canvas(page)).toBe(DARK)

    // Switched off, what is shown stays.
    await device(page).click()
    await expect(device(page)).not.toBeChecked()
    await expect(dark(page)).toBeChecked()
    await page.emulateMedia({ colorScheme: 'light' })
    await expect.poll(() => canvas(page)).toBe(DARK)
  })

  for (const [chosen, scheme, colour] of [
    ['dark', 'light', DARK],
    ['light', 'dark', LIGHT],
    [null, 'dark', DARK],
    [null, 'light', LIGHT],
  ] as const) {
    test(`${chosen ?? 'nothing'} chosen on a ${scheme} device is right before the app has come`, async ({ page }) => {
      await visit(page)
      await page.emulateMedia({ colorScheme: scheme })
      // Asked for, and never answered.
      await page.route('**/assets/index-*.js', () => undefined)
      if (chosen) await page.addInitScript((theme) => localStorage.setItem('alder.theme', theme), chosen)
      await page.goto('/dashboard', { waitUntil: 'commit' })
      await expect(page.getByText('More Features')).toBeAttached()
      await expect.poll(() => canvas(page)).toBe(colour)
      // Nothing of the app has run.
      await expect(page.locator('#root')).toHaveAttribute('inert')
      await page.unrouteAll({ behavior: 'ignoreErrors' })
    })
  }
})
