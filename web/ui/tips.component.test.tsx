import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { open, freezeTime } from '#web/test/app.tsx'
import { showTips } from '#web/ui/tips.ts'

const tip = () => document.querySelector('[role="tooltip"]')
const readTip = () => tip()?.textContent ?? null
const passTime = (ms: number) => vi.advanceTimersByTimeAsync(ms)

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

/** Moves a mouse or a finger to a control. */
function pointTo(target: Element, pointerType = 'mouse'): void {
  const pointedElement = target.firstElementChild ?? target
  pointedElement.dispatchEvent(new PointerEvent('pointerover', { bubbles: true, pointerType }))
}

function key(name: string, focusedElement?: HTMLElement): void {
  const from = document.activeElement ?? document.body
  from.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true }))
  focusedElement?.focus()
  from.dispatchEvent(new KeyboardEvent('keyup', { key: name, bubbles: true }))
}

test('the first tip comes after 700 ms, and the next at once within 300 ms of one', async () => {
  freezeTime()
  stop = showTips()
  pointTo(close)
  await passTime(699)
  expect(readTip()).toBeNull()
  await passTime(1)
  expect(readTip()).toBe('Close')
  // The tip stays while the pointer is on it (WCAG 1.4.13).
  pointTo(tip() as Element)
  await passTime(1000)
  expect(readTip()).toBe('Close')
  pointTo(document.body)
  expect(readTip()).toBeNull()
  await passTime(299)
  pointTo(edit)
  expect(readTip()).toBe('Edit')
  pointTo(document.body)
  await passTime(300)
  pointTo(close)
  expect(readTip()).toBeNull()
  await passTime(700)
  expect(readTip()).toBe('Close')
})

test('a finger gets no tip, and a press removes it until the pointer comes again', async () => {
  freezeTime()
  stop = showTips()
  pointTo(close, 'touch')
  await passTime(1000)
  expect(readTip()).toBeNull()
  pointTo(close)
  await passTime(700)
  close.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }))
  expect(readTip()).toBeNull()
  pointTo(close)
  await passTime(1000)
  expect(readTip()).toBeNull()
})

test('the keyboard gets a tip at its focus, and Escape closes only the tip', async () => {
  freezeTime()
  stop = showTips()
  const onKey = vi.fn<() => void>()
  document.addEventListener('keydown', onKey)
  // A control that the app itself focuses shows no tip.
  key('Enter', close)
  await passTime(1000)
  expect(readTip()).toBeNull()
  key('Tab', edit)
  await passTime(700)
  expect(readTip()).toBe('Edit')
  onKey.mockClear()
  key('Escape')
  expect(readTip()).toBeNull()
  expect(onKey).not.toHaveBeenCalled()
  key('Escape')
  expect(onKey).toHaveBeenCalledOnce()
  document.removeEventListener('keydown', onKey)
})

test('a control of the app shows its name in a tip, also above an open sheet, and the browser shows none', async () => {
  await open('/savings')
  await page.getByRole('button', { name: 'New Goal' }).click()
  const sheet = page.getByRole('dialog')
  const cross = sheet.getByRole('button', { name: 'Close' })
  await expect.element(cross).toBeVisible()
  expect(document.querySelector('[title]')).toBeNull()
  // Tips are added after the screen has settled.
  await expect
    .poll(
      async () => {
        await sheet.getByLabelText('Name').hover()
        await cross.hover()
        await new Promise((resolve) => setTimeout(resolve, 800))
        return readTip()
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
