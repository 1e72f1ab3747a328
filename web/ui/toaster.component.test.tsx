import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { toast as say } from '#web/lib/toast.ts'
import { open, pressByKey, findToast } from '#web/test/app.tsx'
import { bank } from '#web/test/bank.ts'

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
  say.error('Not yet', { duration: 60_000 })
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
  say.success('Verified', { duration: 60_000 })
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

test('a pointer that moves onto a toast keeps it, and a pointer that rests where a toast appears does not', async () => {
  await open('/dashboard')
  say.success('First', { id: 'first', duration: 1500 })
  await userEvent.hover(findToast('First'))
  await new Promise((resolve) => setTimeout(resolve, 2500))
  await expect.element(findToast('First')).toBeVisible()
  say.dismiss('first')
  await expect.poll(front).toBe(null)
  // The pointer has not moved since.
  say.success('Second', { duration: 1500 })
  await expect.element(findToast('Second')).toBeVisible()
  await expect.poll(() => front()?.matches(':hover')).toBe(true)
  await expect.poll(front, { timeout: 5000 }).toBe(null)
})
