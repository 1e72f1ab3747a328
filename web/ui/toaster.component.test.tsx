import { expect, onTestFinished, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { toast as say } from '#web/lib/toast.ts'
import { open, pressByKey, findToast } from '#web/test/app.tsx'
import { bank } from '#web/test/bank.ts'

const LONG = { duration: 60_000 }
const box = (element: Element | null | undefined) => element?.getBoundingClientRect() ?? new DOMRect()
const front = () => document.querySelector('[data-sonner-toast][data-front="true"]')

test.for(['{F8}', '{Alt>}t{/Alt}'])('%s focuses the toast', async (keys) => {
  await open('/dashboard')
  say.success('Done')
  await expect.element(findToast('Done')).toBeVisible()
  await userEvent.keyboard(keys)
  await expect.poll(() => document.activeElement?.matches('[data-sonner-toaster]')).toBe(true)
})

test('while a sheet is open, a toast stays at the bottom, beside the buttons of the sheet', async () => {
  await open('/savings')
  await pressByKey(page.getByRole('button', { name: 'New Goal' }))
  const submit = page.getByRole('dialog').getByRole('button', { name: 'Create Goal' })
  await expect.element(submit).toBeVisible()
  say.error('Not yet', LONG)
  await expect.element(findToast('Not yet')).toBeVisible()
  await expect.poll(() => box(submit.element()).top - box(front()).bottom).toBeGreaterThan(8)
  expect(box(front()).top).toBeGreaterThan(innerHeight / 2)
  await userEvent.keyboard('{Escape}')
  // After the sheet is closed, the toast is back in its place.
  const { style } = document.documentElement
  await expect.poll(() => style.getPropertyValue('--toast-rise')).toBe('0px')
})

test('while a sheet is open, a toast covers none of its buttons', async () => {
  const recording = await bank.recorded('/linked-accounts')
  const [account] = recording.accounts
  if (!account) throw new Error('There is no linked account')
  const verifiedAccount = {
    ...account,
    kind: 'bank',
    name: 'Harbor Bank',
    status: 'verified',
    lastFour: '7890',
  } as const
  bank.get('/linked-accounts', { ...recording, accounts: [verifiedAccount] })
  await open('/payment-methods')
  await pressByKey(page.getByRole('button', { name: 'Manage Harbor Bank' }))
  const remove = page.getByRole('dialog').getByRole('button', { name: 'Remove Account' })
  await expect.element(remove).toBeVisible()
  say.success('Verified', LONG)
  await expect.element(findToast('Verified')).toBeVisible()
  const isCovered = () =>
    [...document.querySelectorAll('.sheet-panel :is(button, a)')]
      .filter((control) => box(control).top < box(front()).bottom && box(control).bottom > box(front()).top)
      .map(({ textContent }) => textContent)
  // The toast enters from below, over the last of the buttons.
  await expect.poll(() => box(front()).top).toBeLessThan(box(remove.element()).top)
  await expect.poll(isCovered).toEqual([])
  expect(box(front()).top).toBeGreaterThan(innerHeight / 2)
})

/** Adds an open sheet over the window with one button, at a distance from the top of its scrolling content. */
function addSheet(buttonTopPx: number): { sheet: HTMLElement; button: HTMLButtonElement } {
  const [sheet, content, button] = [
    document.createElement('div'),
    document.createElement('div'),
    document.createElement('button'),
  ]
  sheet.className = 'sheet-panel'
  sheet.dataset['state'] = 'open'
  sheet.style.cssText = 'position: fixed; inset: 0; overflow-y: auto'
  content.style.cssText = 'position: relative; height: 200vh'
  button.style.cssText = `position: absolute; left: 0; right: 0; height: 44px; top: ${buttonTopPx}px`
  onTestFinished(() => sheet.remove())
  content.append(button)
  sheet.append(content)
  document.body.append(sheet)
  return { sheet, button }
}

test('a toast keeps clear of the buttons of the uppermost sheet, also while it scrolls', async () => {
  await open('/language')
  say.success('Done', LONG)
  await expect.element(findToast('Done')).toBeVisible()
  const { top } = box(front())
  addSheet(top - 300)
  const { sheet, button } = addSheet(top)
  const distance = () => box(button).top - box(front()).bottom
  await expect.poll(distance).toBe(12)
  const scrolled = new Promise((resolve) => sheet.addEventListener('scroll', resolve, { once: true }))
  sheet.scrollTop = 20
  await scrolled
  // Other changes of the page would move the toast later, too.
  expect(distance()).toBe(12)
})

/** Gives toasts that are shown a short time, and waits for longer than that. */
async function waitForTheirEnd(...messages: string[]): Promise<void> {
  for (const message of messages) say.success(message, { id: message, duration: 500 })
  await new Promise((resolve) => setTimeout(resolve, 1500))
}
const shownToasts = () => [...document.querySelectorAll('[data-sonner-toast]')].map(({ textContent }) => textContent)

/** Shows a toast under the resting pointer. */
async function showUnderPointer(message: string): Promise<void> {
  say.success('First', { id: 'First', ...LONG })
  await userEvent.hover(findToast('First'))
  say.dismiss('First')
  await expect.poll(front).toBe(null)
  say.success(message, { id: message, ...LONG })
  await expect.element(findToast(message)).toBeVisible()
  await expect.poll(() => front()?.matches(':hover')).toBe(true)
}

test('a toast ends that appears under a resting pointer', async () => {
  await open('/dashboard')
  await showUnderPointer('Second')
  await waitForTheirEnd('Second')
  expect(shownToasts()).toEqual([])
})

test('a pointer that moved onto a toast keeps it, also when another toast moves under the pointer', async () => {
  await open('/dashboard')
  say.success('First', { id: 'First', ...LONG })
  await userEvent.hover(findToast('First'))
  say.success('Second', { id: 'Second', ...LONG })
  await expect.element(findToast('Second')).toBeVisible()
  await waitForTheirEnd('First', 'Second')
  expect(shownToasts()).toEqual(['Second', 'First'])
})

test('the keyboard focus keeps toasts that are under a resting pointer', async () => {
  await open('/dashboard')
  await showUnderPointer('Second')
  await userEvent.keyboard('{F8}')
  say.success('Third', { id: 'Third', ...LONG })
  await expect.element(findToast('Third')).toBeVisible()
  await waitForTheirEnd('Second', 'Third')
  expect(shownToasts()).toEqual(['Third', 'Second'])
})
