import { expect, type Locator, test } from '@playwright/test'
import { goTo, visit } from './bank.ts'

/*
 * Colours that the reader has forced on every page, as Windows High Contrast does: backgrounds and shadows are gone, and what
 * is on, chosen, full or in focus is seen all the same.
 */
test.use({ contextOptions: { reducedMotion: 'reduce', forcedColors: 'active' } })

const look = (control: Locator, property: string): Promise<string> =>
  control.evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property)

const background = (control: Locator) => look(control, 'background-color')

async function expectApart(one: Locator, other: Locator): Promise<void> {
  expect(await background(one)).not.toBe(await background(other))
}

async function expectEdge(element: Locator): Promise<void> {
  expect(await look(element, 'outline-style')).toBe('solid')
  expect(parseFloat(await look(element, 'outline-width'))).toBeGreaterThanOrEqual(1)
}

test('what backgrounds and shadows say is seen in forced colours', async ({ page }) => {
  const body = page.locator('body')
  await visit(page)
  await goTo(page, '/settings')
  const on = page.getByRole('switch', { name: 'Use Device Setting' })
  await expect(on).toBeVisible()
  await expectApart(on, page.getByRole('switch', { name: 'Dark Mode' }))
  await expectApart(on.locator('span'), on)
  await expectEdge(on)
  const here = page.locator('.tab-bar [aria-current] .tab-icon')
  await expectApart(here, body)

  await goTo(page, '/transfer')
  const when = (name: string) => page.locator('label').filter({ has: page.getByRole('radio', { name }) })
  await expectApart(when('Now'), when('Later'))
  await expectEdge(page.getByRole('button', { name: 'Send Money' }))
  const recipient = page.getByLabel('Recipient')
  await recipient.focus()
  expect(await look(recipient, 'outline-width')).toBe('3px')

  await goTo(page, '/savings')
  const bar = page.getByRole('progressbar').first()
  await expectEdge(bar)
  await expectApart(bar.locator('> *'), body)

  await goTo(page, '/analytics')
  await expect(page.locator('[data-bar]').first()).toBeVisible()
  await expectApart(page.locator('[data-bar]').first(), body)

  await goTo(page, '/cards')
  await expectEdge(page.locator('.card-art').first())
  await page.getByRole('button', { name: 'Create Virtual Card' }).click()
  const colours = page.getByRole('radiogroup', { name: 'Color' }).locator('label')
  await expect(colours.nth(1)).toBeVisible()
  expect(await look(colours.nth(0), 'background-image')).not.toBe(await look(colours.nth(1), 'background-image'))
  await expectEdge(page.locator('.sheet-panel'))
})
