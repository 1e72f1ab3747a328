import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { toast as say } from '#web/lib/toast.ts'
import { open, pressByKey, findToast } from '#web/test/app.tsx'

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
