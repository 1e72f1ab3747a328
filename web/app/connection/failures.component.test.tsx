import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { createMemoryRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { afterEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { loadScreen } from '#web/app/shell/load-screen.tsx'
import { readAddress, open, advanceUntil, pressByKey, freezeTime } from '#web/test/app.tsx'
import { recordedRequests, bank, cutConnection, proxyAnswer, restoreConnection } from '#web/test/bank.ts'

afterEach(() => vi.useRealTimers())

test('a dashboard that fails to load still links to all other screens', async () => {
  const dashboard = await bank.recorded('/dashboard')
  bank.get('/dashboard', proxyAnswer(503))
  // Fake time passes only while the test waits, so the app makes no automatic retries.
  freezeTime()
  await open('/dashboard')
  await advanceUntil(page.getByText('Still trying…'))
  await advanceUntil(page.getByText("That didn't load"))
  for (const name of ['Settings', 'Notifications', 'Request', 'Analytics'])
    await expect.element(page.getByRole('link', { name, exact: true })).toBeVisible()
  bank.get('/dashboard', dashboard)
  await pressByKey(page.getByRole('button', { name: 'Try Again' }))
  await expect.element(page.getByRole('region', { name: 'Balance' })).toMatchTextContent('$12,458.50')
})

test('an unknown address shows an error, logs the path and links to Home', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  await open('/no/such/page')
  await expect.element(page.getByText('Oops! Page not found')).toBeVisible()
  expect(warn.mock.calls.flat()).toContain('/no/such/page')
  warn.mockRestore()
  await page.getByRole('link', { name: 'Return to Home' }).click()
  await expect.poll(readAddress).toBe('/')
})

/** Opens a screen whose code `load` returns, as the router does. */
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

test('a screen whose code does not load offline shows an error, and opens when the connection is back', async () => {
  cutConnection()
  const load = vi.fn<() => Promise<() => string>>(() => Promise.reject(new Error('no line')))
  await openScreen(load)
  await expect.element(page.getByRole('heading', { name: "You're offline" })).toBeVisible()
  await expect.element(page.getByRole('link', { name: 'Back' })).toBeVisible()
  load.mockResolvedValue(() => 'Here it is')
  restoreConnection()
  await expect.element(page.getByText('Here it is')).toBeVisible()
})

test('a screen whose code does not load is retried, and offers a button if retries fail', async () => {
  const load = vi.fn<() => Promise<() => string>>(() => Promise.reject(new Error('not found')))
  await openScreen(load)
  await expect.element(page.getByRole('heading', { name: "That didn't load" })).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Try Again' })).toBeVisible()
  expect(load).toHaveBeenCalledTimes(2)
  load.mockResolvedValue(() => 'Here it is')
  await openScreen(load)
  await expect.element(page.getByText('Here it is')).toBeVisible()
  expect(recordedRequests).toEqual([])
})

test('toasts are a region of their own, reached with Alt+T', async () => {
  await open('/transfer')
  await pressByKey(page.getByRole('button', { name: 'Send Money' }))
  const region = page.getByRole('region', { name: /^Notifications/ })
  await expect.element(region).toMatchTextContent('Please fill in all fields')
  await userEvent.keyboard('{Alt>}t{/Alt}')
  await expect.poll(() => document.activeElement).toBe(region.element().querySelector('ol'))
})
