import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { open, standStill } from '#web/test/app.tsx'
import { showTips } from '#web/ui/tips.ts'

const tip = () => document.querySelector('[role="tooltip"]')
const shown = () => tip()?.textContent ?? null
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

let close: HTMLButtonElement
let edit: HTMLButtonElement
let stop = () => {}

function control(name: string): HTMLButtonElement {
  const button = document.createElement('button')
  button.ariaLabel = name
  button.dataset['tip'] = ''
  button.append(document.createElement('span'))
  document.body.append(button)
  return button
}

beforeEach(() => {
  close = control('Close')
  edit = control('Edit')
})
afterEach(() => {
  stop()
  close.remove()
  edit.remove()
  vi.useRealTimers()
})

/** A pointer comes to a control, or a finger. */
function pointTo(target: Element, pointerType = 'mouse'): void {
  const to = target.firstElementChild ?? target
  to.dispatchEvent(new PointerEvent('pointerover', { bubbles: true, pointerType }))
}

function key(name: string, focused?: HTMLElement): void {
  const from = document.activeElement ?? document.body
  from.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true }))
  focused?.focus()
  from.dispatchEvent(new KeyboardEvent('keyup', { key: name, bubbles: true }))
}

test('the first tip comes after 700 ms, and the next at once within 300 ms of one', async () => {
  standStill()
  stop = showTips()
  pointTo(close)
  await pass(699)
  expect(shown()).toBeNull()
  await pass(1)
  expect(shown()).toBe('Close')
  // On the tip itself it stays (WCAG 1.4.13).
  pointTo(tip() as Element)
  await pass(1000)
  expect(shown()).toBe('Close')
  pointTo(document.body)
  expect(shown()).toBeNull()
  await pass(299)
  pointTo(edit)
  expect(shown()).toBe('Edit')
  pointTo(document.body)
  await pass(300)
  pointTo(close)
  expect(shown()).toBeNull()
  await pass(700)
  expect(shown()).toBe('Close')
})

test('a finger gets no tip, and a press takes it away until the pointer comes again', async () => {
  standStill()
  stop = showTips()
  pointTo(close, 'touch')
  await pass(1000)
  expect(shown()).toBeNull()
  pointTo(close)
  await pass(700)
  close.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }))
  expect(shown()).toBeNull()
  pointTo(close)
  await pass(1000)
  expect(shown()).toBeNull()
})

test('the keyboard gets it where it comes itself, and Escape closes it and nothing else', async () => {
  standStill()
  stop = showTips()
  const heard = vi.fn<() => void>()
  document.addEventListener('keydown', heard)
  // What the app focuses was not asked about.
  key('Enter', close)
  await pass(1000)
  expect(shown()).toBeNull()
  key('Tab', edit)
  await pass(700)
  expect(shown()).toBe('Edit')
  heard.mockClear()
  key('Escape')
  expect(shown()).toBeNull()
  expect(heard).not.toHaveBeenCalled()
  key('Escape')
  expect(heard).toHaveBeenCalledOnce()
  document.removeEventListener('keydown', heard)
})

test('a control of the app says its name in a tip, above an open sheet too, and the browser shows none besides', async () => {
  await open('/savings')
  await page.getByRole('button', { name: 'New Goal' }).click()
  const sheet = page.getByRole('dialog')
  const cross = sheet.getByRole('button', { name: 'Close' })
  await expect.element(cross).toBeVisible()
  expect(document.querySelector('[title]')).toBeNull()
  // They come once the screen has settled.
  await expect
    .poll(
      async () => {
        await sheet.getByLabelText('Name').hover()
        await cross.hover()
        await new Promise((resolve) => setTimeout(resolve, 800))
        return shown()
      },
      { timeout: 10_000 },
    )
    .toBe('Close')
  const box = tip()?.getBoundingClientRect()
  expect(box?.right).toBeLessThanOrEqual(390)
  expect(document.elementFromPoint((box?.x ?? 0) + 5, (box?.y ?? 0) + 12)?.closest('[role="tooltip"]')).toBe(tip())
  await userEvent.click(tip() as Element)
  await expect.element(sheet).toBeVisible()
})
