import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { createMemoryRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { afterEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { loadScreen } from '#web/app/shell/load-screen.tsx'
import { address, open, passUntil, press, standStill } from '#web/test/app.tsx'
import { asked, bank, cutLine, intercepted, mendLine } from '#web/test/bank.ts'

afterEach(() => vi.useRealTimers())

test('a dashboard that fails to load still leads everywhere else', async () => {
  const dashboard = await bank.recorded('/dashboard')
  bank.get('/dashboard', intercepted(503))
  // Time stands still, but for what is waited for here: then the app does not ask again by itself.
  standStill()
  await open('/dashboard')
  await passUntil(page.getByText('Still trying…'))
  await passUntil(page.getByText("That didn't load"))
  for (const name of ['Settings', 'Notifications', 'Request', 'Analytics'])
    await expect.element(page.getByRole('link', { name, exact: true })).toBeVisible()
  bank.get('/dashboard', dashboard)
  await press(page.getByRole('button', { name: 'Try Again' }))
  await expect.element(page.getByRole('region', { name: 'Balance' })).toMatchTextContent('$12,458.50')
})

test('an address that is none says so, logs the path and leads home', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  await open('/no/such/page')
  await expect.element(page.getByText('Oops! Page not found')).toBeVisible()
  expect(warn.mock.calls.flat()).toContain('/no/such/page')
  warn.mockRestore()
  await page.getByRole('link', { name: 'Return to Home' }).click()
  await expect.poll(address).toBe('/')
})

/** Opens a screen whose code `load` brings, as the router does. */
async function openScreen(load: () => Promise<() => string>): Promise<void> {
  const error = vi.spyOn(console, 'error').mockImplementation(() => {})
  const Component = await loadScreen(load)
  error.mockRestore()
  const router = createMemoryRouter([{ path: '/', Component }])
  await render(
    <I18nProvider i18n={i18n}>
      <RouterProvider router={router} />
    </I18nProvider>,
  )
}

test('a screen whose code does not come without a line says so, and opens once it is back', async () => {
  cutLine()
  const load = vi.fn<() => Promise<() => string>>(() => Promise.reject(new Error('no line')))
  await openScreen(load)
  await expect.element(page.getByRole('heading', { name: "You're offline" })).toBeVisible()
  await expect.element(page.getByRole('link', { name: 'Back' })).toBeVisible()
  load.mockResolvedValue(() => 'Here it is')
  mendLine()
  await expect.element(page.getByText('Here it is')).toBeVisible()
})

test('a screen whose code does not come is tried again, and by hand where that does not help', async () => {
  const load = vi.fn<() => Promise<() => string>>(() => Promise.reject(new Error('not found')))
  await openScreen(load)
  await expect.element(page.getByRole('heading', { name: "That didn't load" })).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Try Again' })).toBeVisible()
  expect(load).toHaveBeenCalledTimes(2)
  load.mockResolvedValue(() => 'Here it is')
  await openScreen(load)
  await expect.element(page.getByText('Here it is')).toBeVisible()
  expect(asked).toEqual([])
})

test('toasts are a region of their own, reached with Alt+T', async () => {
  await open('/transfer')
  await press(page.getByRole('button', { name: 'Send Money' }))
  const region = page.getByRole('region', { name: /^Notifications/ })
  await expect.element(region).toMatchTextContent('Please fill in all fields')
  await userEvent.keyboard('{Alt>}t{/Alt}')
  await expect.poll(() => document.activeElement).toBe(region.element().querySelector('ol'))
})
