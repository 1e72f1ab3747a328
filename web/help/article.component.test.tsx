import { afterAll, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { readAddress, open, openIn, runFakeTime } from '#web/test/app.tsx'
import { commands } from '#web/test/commands.ts'

const main = page.getByRole('main')
const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true })
const ring = () => document.querySelector('[data-ring]')
const figure = () => document.querySelector('figure')
const frame = () => document.querySelector('iframe')
/** Returns whether the cover of the picture is gone. */
const isUncovered = () => document.querySelector('figure .opacity-0') !== null

/** Returns the page of a screen for a picture, taller than a phone. */
const screen = (inside: string) =>
  `<!doctype html><body style="margin: 0"><div data-screen><h1>Cards</h1><div style="height: 1500px"></div>${inside}<div style="height: 1500px"></div></div>`
const FREEZE = '<button style="margin-left: 40px; width: 120px; height: 44px"><b>Freeze</b></button>'

afterAll(() => commands.showInFrames(''))

test('shows a short answer first, then the steps, and then a remedy for failures', async () => {
  await open('/help-center/article?id=freeze_card')
  await expect.element(main.getByText(/^If you can't find your card/)).toBeVisible()
  const steps = document.querySelectorAll('ol > li')
  expect(steps).toHaveLength(4)
  expect(steps[0]?.lastElementChild?.textContent).toBe('In Cards, choose Freeze below the card.')
  await expect.element(main.getByRole('heading', { name: "If It Doesn't Work" })).toBeVisible()
  await expect.element(main.getByText(/^If you can't get online to freeze it/)).toBeVisible()
  await expect.element(main.getByRole('link', { name: 'Cards', exact: true })).toHaveAttribute('href', '/cards')
  await expect.element(main.getByRole('link', { name: /^Live Chat/ })).toHaveAttribute('href', '/ai-advisor')
})

test('links to other articles, whose heading is then read aloud, and back', async () => {
  await open('/help-center/article?topic=cards&id=freeze_card')
  await main.getByRole('link', { name: 'Remove or replace a card' }).click()
  await expect.element(heading('Remove or replace a card')).toHaveFocus()
  expect(readAddress()).toBe('/help-center/article?topic=cards&id=remove_card')
  await page.getByRole('link', { name: 'Back', exact: true }).click()
  await expect.element(heading('Freeze a lost card')).toBeVisible()
})

test('shows the screen itself, disabled, with a ring around the first control of the steps', async () => {
  await commands.showInFrames(screen(FREEZE))
  await open('/help-center/article?id=freeze_card')
  await expect.poll(ring, { timeout: 10_000 }).not.toBeNull()
  await expect.poll(isUncovered).toBe(true)
  expect(frame()?.inert).toBe(true)
  expect(frame()?.closest('[aria-hidden=true]')).not.toBeNull()
  expect(figure()?.querySelector('figcaption')?.textContent).toBe('Picture of Cards, with “Freeze” circled')

  const middle = (edges: DOMRect | undefined) => (edges ? edges.top + edges.height / 2 : Number.NaN)
  const frameBox = () => frame()?.parentElement?.parentElement?.getBoundingClientRect()
  // The ring is in the middle of the visible part of the phone.
  await expect.poll(() => Math.abs(middle(ring()?.getBoundingClientRect()) - middle(frameBox()))).toBeLessThan(2)
  const [ringRect, frameRect] = [ring()?.getBoundingClientRect(), frame()?.getBoundingClientRect()]
  const control = frame()?.contentDocument?.querySelector('button')?.getBoundingClientRect()
  if (!ringRect || !frameRect || !control) throw new Error('There is no picture')
  const scale = frameRect.width / 390
  expect(ringRect.left).toBeCloseTo(frameRect.left + (control.left - 8) * scale, 0)
  expect(ringRect.width).toBeCloseTo((control.width + 16) * scale, 0)
  expect(middle(ringRect)).toBeCloseTo(frameRect.top + middle(control) * scale, 0)
})

test('finds the control by its name in the current language', async () => {
  await commands.showInFrames(screen(FREEZE.replace('Freeze', 'Sperren')))
  await openIn('de', '/help-center/article?id=freeze_card')
  await expect.poll(ring, { timeout: 10_000 }).not.toBeNull()
})

test('shows the screen without a ring if there is no control to point at', async () => {
  await commands.showInFrames(screen(FREEZE))
  await open('/help-center/article?id=report_payment')
  await expect.poll(isUncovered, { timeout: 10_000 }).toBe(true)
  expect(ring()).toBeNull()
  expect(figure()?.querySelector('figcaption')?.textContent).toBe('Picture of Transactions')
})

test('shows the screen without a ring if the control is missing, and no picture if the screen does not load', async () => {
  runFakeTime()
  await commands.showInFrames(screen(FREEZE.replace('Freeze', 'Unfreeze')))
  await open('/help-center/article?id=freeze_card')
  await expect.poll(() => frame()?.contentDocument?.querySelector('h1')).toBeTruthy()
  await vi.advanceTimersByTimeAsync(5_000)
  expect(isUncovered()).toBe(false)
  await vi.advanceTimersByTimeAsync(5_000)
  await expect.poll(isUncovered).toBe(true)
  expect(ring()).toBeNull()

  await commands.showInFrames('<p role="alert">Nothing came</p>')
  await main.getByRole('link', { name: 'Remove or replace a card' }).click()
  await expect.poll(() => frame()?.contentDocument?.querySelector('[role=alert]')).toBeTruthy()
  await vi.advanceTimersByTimeAsync(10_000)
  await expect.poll(figure).toBeNull()
  await expect.element(main.getByText(/^In Cards, choose Remove/)).toBeVisible()
})
