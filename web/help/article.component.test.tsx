import { afterAll, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { address, open, openIn, withTime } from '#web/test/app.tsx'
import { commands } from '#web/test/commands.ts'

const main = page.getByRole('main')
const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true })
const ring = () => document.querySelector('[data-ring]')
const figure = () => document.querySelector('figure')
const frame = () => document.querySelector('iframe')
/** What covers the picture until there is something to see. */
const isUncovered = () => document.querySelector('figure .opacity-0') !== null

/** A screen of the bank as a picture finds it, of more than a phone's height. */
const screen = (inside: string) =>
  `<!doctype html><body style="margin: 0"><div data-screen><h1>Cards</h1><div style="height: 1500px"></div>${inside}<div style="height: 1500px"></div></div>`
const FREEZE = '<button style="margin-left: 40px; width: 120px; height: 44px"><b>Freeze</b></button>'

afterAll(() => commands.showInFrames(''))

test('says in short what to do, then step by step, and what to do where it fails', async () => {
  await open('/help-center/article?id=freeze_card')
  await expect.element(main.getByText(/^If you can't find your card/)).toBeVisible()
  const steps = document.querySelectorAll('ol > li')
  expect(steps).toHaveLength(4)
  expect(steps[0]?.lastElementChild?.textContent).toBe('In Cards, choose Freeze below the card.')
  await expect.element(main.getByRole('heading', { name: "If it doesn't work" })).toBeVisible()
  await expect.element(main.getByText(/^If you can't get online to freeze it/)).toBeVisible()
  await expect.element(main.getByRole('link', { name: 'Cards', exact: true })).toHaveAttribute('href', '/cards')
  await expect.element(main.getByRole('link', { name: /^Live Chat/ })).toHaveAttribute('href', '/ai-advisor')
})

test('leads on to other articles, whose heading is read out then, and back', async () => {
  await open('/help-center/article?topic=cards&id=freeze_card')
  await main.getByRole('link', { name: 'Remove or replace a card' }).click()
  await expect.element(heading('Remove or replace a card')).toHaveFocus()
  expect(address()).toBe('/help-center/article?topic=cards&id=remove_card')
  await page.getByRole('link', { name: 'Back', exact: true }).click()
  await expect.element(heading('Freeze a lost card')).toBeVisible()
})

test('shows the screen itself, which nobody can press, with a ring around what the steps begin with', async () => {
  await commands.showInFrames(screen(FREEZE))
  await open('/help-center/article?id=freeze_card')
  await expect.poll(ring, { timeout: 10_000 }).not.toBeNull()
  await expect.poll(isUncovered).toBe(true)
  expect(frame()?.inert).toBe(true)
  expect(frame()?.closest('[aria-hidden=true]')).not.toBeNull()
  expect(figure()?.querySelector('figcaption')?.textContent).toBe('Picture of Cards, with “Freeze” circled')

  const middle = (edges: DOMRect | undefined) => (edges ? edges.top + edges.height / 2 : Number.NaN)
  const seen = () => frame()?.parentElement?.parentElement?.getBoundingClientRect()
  // The ring is in the middle of the part of the phone that is shown.
  await expect.poll(() => Math.abs(middle(ring()?.getBoundingClientRect()) - middle(seen()))).toBeLessThan(2)
  const [around, outer] = [ring()?.getBoundingClientRect(), frame()?.getBoundingClientRect()]
  const control = frame()?.contentDocument?.querySelector('button')?.getBoundingClientRect()
  if (!around || !outer || !control) throw new Error('There is no picture')
  const scale = outer.width / 390
  expect(around.left).toBeCloseTo(outer.left + (control.left - 8) * scale, 0)
  expect(around.width).toBeCloseTo((control.width + 16) * scale, 0)
  expect(middle(around)).toBeCloseTo(outer.top + middle(control) * scale, 0)
})

test('finds it by what it is called in the language in force', async () => {
  await commands.showInFrames(screen(FREEZE.replace('Freeze', 'Sperren')))
  await openIn('de', '/help-center/article?id=freeze_card')
  await expect.poll(ring, { timeout: 10_000 }).not.toBeNull()
})

test('shows the screen without a ring where nothing is to be pointed at', async () => {
  await commands.showInFrames(screen(FREEZE))
  await open('/help-center/article?id=report_payment')
  await expect.poll(isUncovered, { timeout: 10_000 }).toBe(true)
  expect(ring()).toBeNull()
  expect(figure()?.querySelector('figcaption')?.textContent).toBe('Picture of Transactions')
})

test('shows it without a ring where the control is not there, and no picture of a screen that does not come', async () => {
  withTime()
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
