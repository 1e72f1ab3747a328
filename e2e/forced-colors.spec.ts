import { expect, type Locator, test } from '@playwright/test'
import { goTo, visit } from './bank.ts'

/*
 * Tests forced colors, such as Windows High Contrast. The browser removes backgrounds and shadows, but a control's state must
 * stay visible: on, chosen, full or in focus.
 */
test.use({ contextOptions: { reducedMotion: 'reduce', forcedColors: 'active' } })

const readStyle = (control: Locator, property: string): Promise<string> =>
  control.evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property)

const background = (control: Locator) => readStyle(control, 'background-color')

async function expectApart(first: Locator, second: Locator): Promise<void> {
  expect(await background(first)).not.toBe(await background(second))
}

async function expectEdge(element: Locator): Promise<void> {
  expect(await readStyle(element, 'outline-style')).toBe('solid')
  expect(parseFloat(await readStyle(element, 'outline-width'))).toBeGreaterThanOrEqual(1)
}

test('forced colors show the information that backgrounds and shadows show otherwise', async ({ page }) => {
  const body = page.locator('body')
  await visit(page)
  await goTo(page, '/settings')
  const deviceSettingSwitch = page.getByRole('switch', { name: 'Use Device Setting' })
  await expect(deviceSettingSwitch).toBeVisible()
  await expectApart(deviceSettingSwitch, page.getByRole('switch', { name: 'Dark Mode' }))
  await expectApart(deviceSettingSwitch.locator('span'), deviceSettingSwitch)
  await expectEdge(deviceSettingSwitch)
  const currentTabIcon = page.locator('.tab-bar [aria-current] .tab-icon')
  await expectApart(currentTabIcon, body)

  await goTo(page, '/transfer')
  const timeOption = (name: string) => page.locator('label').filter({ has: page.getByRole('radio', { name }) })
  await expectApart(timeOption('Now'), timeOption('Later'))
  await expectEdge(page.getByRole('button', { name: 'Send Money' }))
  const recipient = page.getByLabel('Recipient')
  await recipient.focus()
  expect(await readStyle(recipient, 'outline-width')).toBe('3px')

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
  const colors = page.getByRole('radiogroup', { name: 'Color' }).locator('label')
  await expect(colors.nth(1)).toBeVisible()
  expect(await readStyle(colors.nth(0), 'background-image')).not.toBe(
    await readStyle(colors.nth(1), 'background-image'),
  )
  await expectEdge(page.locator('.sheet-panel'))
})
