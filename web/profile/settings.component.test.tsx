import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { readAddress, open, findToast } from '#web/test/app.tsx'
import { recordedRequests, bank, changeRequests, delayedAnswer, refusalAnswer } from '#web/test/bank.ts'
import { commands } from '#web/test/commands.ts'

const switchNamed = (name: string) => page.getByRole('switch', { name })
const person = page.getByRole('region', { name: 'Signed in as' })
const anyToast = () => document.querySelectorAll('[data-sonner-toast]')

/** The sign-in screen requests a passkey automatically, so the bank's response is mocked. */
const withoutPasskeys = () => bank.post('/session/passkey/options', refusalAnswer('too_many_requests'))

test('shows the signed-in customer and links to all settings', async () => {
  const { customer } = await bank.recorded('/me')
  await open('/settings')
  await expect.element(person.getByText(customer.fullName)).toBeVisible()
  await expect.element(person.getByText(customer.email)).toBeVisible()
  for (const group of ['Account', 'Preferences', 'Support'])
    await expect.element(page.getByRole('heading', { name: group, exact: true })).toBeVisible()
  await expect.element(page.getByRole('link', { name: 'Verify Your Identity' })).toBeVisible()
  expect(page.getByRole('link', { name: 'Identity Reviews' }).query()).toBeNull()
  for (const [name, path] of [
    ['Personal Information', '/personal-info'],
    ['Security & Privacy', '/security-privacy'],
    ['Payment Methods', '/payment-methods'],
    ['Statements', '/statements'],
    ['Language', '/language'],
    ['Help Center', '/help-center'],
    ['Verify Your Identity', '/kyc'],
  ] as const) {
    await expect.element(page.getByRole('link', { name })).toHaveAttribute('href', path)
  }
  await page.getByRole('link', { name: 'Language' }).click()
  await expect.poll(readAddress).toBe('/language')
  await page.getByRole('link', { name: 'Back' }).click()
  await expect.poll(readAddress).toBe('/settings')
  await page.getByRole('link', { name: 'Back' }).click()
  await expect.poll(readAddress).toBe('/dashboard')
})

test('Notifications is on until it is switched off, and then shows this each time', async () => {
  const profile = await bank.recorded('/profile')
  expect(profile).toMatchObject({ notifications: true, transactionAlerts: true })
  await open('/settings')
  const notifications = switchNamed('Notifications')
  await expect.element(notifications).toBeChecked()
  await expect.element(notifications).toBeEnabled()
  bank.patch('/preferences', ({ json }) => {
    const changedProfile = Object.assign({}, profile, json)
    bank.get('/profile', changedProfile)
    return changedProfile
  })
  await notifications.click()
  await expect.element(notifications).not.toBeChecked()
  await expect.poll(() => changeRequests()).toMatchObject([{ path: '/preferences', json: { notifications: false } }])
  await page.getByRole('link', { name: 'Back' }).click()
  await page.getByRole('link', { name: 'Settings' }).click()
  await expect.element(notifications).toBeEnabled()
  await expect.element(notifications).not.toBeChecked()
})

test('a switch that the bank refuses goes back and shows the reason', async () => {
  bank.patch('/preferences', refusalAnswer('too_many_requests'))
  await open('/settings')
  await expect.element(switchNamed('Notifications')).toBeEnabled()
  await switchNamed('Notifications').click()
  await expect.element(findToast('Too many attempts. Please try again in a little while')).toBeVisible()
  await expect.element(switchNamed('Notifications')).toBeChecked()
})

test('Dark Mode follows the device until it is chosen, and again on request', async () => {
  const canvas = () => getComputedStyle(document.documentElement).backgroundColor
  const light = canvas()
  const [dark, device] = [switchNamed('Dark Mode'), switchNamed('Use Device Setting')]
  await commands.preferColors('dark')
  await open('/settings')
  await expect.element(dark).toBeChecked()
  await expect.element(device).toBeChecked()
  await expect.poll(canvas).not.toBe(light)
  const darkCanvas = canvas()
  await dark.click()
  await expect.element(dark).not.toBeChecked()
  await expect.element(device).not.toBeChecked()
  await expect.poll(canvas).toBe(light)
  // The theme is stored for the first paint of the next page.
  expect(localStorage.getItem('alder.theme')).toBe('light')
  await dark.click()
  await commands.preferColors('light')
  await expect.element(dark).toBeChecked()
  await expect.poll(canvas).toBe(darkCanvas)
  expect(localStorage.getItem('alder.theme')).toBe('dark')

  await device.click()
  await expect.element(device).toBeChecked()
  await expect.element(dark).not.toBeChecked()
  await expect.poll(canvas).toBe(light)
  expect(localStorage.getItem('alder.theme')).toBeNull()
  await commands.preferColors('dark')
  await expect.element(dark).toBeChecked()
  await expect.poll(canvas).toBe(darkCanvas)
  // After the switch is off, the current theme stays.
  await device.click()
  await expect.element(device).not.toBeChecked()
  await commands.preferColors('light')
  await expect.element(dark).toBeChecked()
  expect(canvas()).toBe(darkCanvas)
})

test('Log Out ends the session at the bank, without a toast', async () => {
  bank.delete('/session', {})
  withoutPasskeys()
  await open('/settings')
  await page.getByRole('button', { name: 'Log Out' }).click()
  await expect.poll(readAddress).toBe('/login')
  await expect.element(page.getByRole('button', { name: 'Sign In', exact: true })).toBeVisible()
  expect(changeRequests()[0]).toMatchObject({ method: 'DELETE', path: '/session' })
  expect(anyToast()).toHaveLength(0)
})

test('a refusal after Log Out does not redirect the next customer here', async () => {
  withoutPasskeys()
  const sessionEnd = Promise.withResolvers<void>()
  const asksToVisit = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  bank.get('/kyc', () => delayedAnswer(sessionEnd.promise, refusalAnswer('sign_in_required')))
  bank.delete('/session', () => {
    sessionEnd.resolve()
    return delayedAnswer(asksToVisit.promise, {})
  })
  // A live bank refuses visitors without an account.
  bank.post('/session/visit', () => {
    asksToVisit.resolve()
    return delayedAnswer(release.promise, refusalAnswer('sign_in_required'))
  })
  await open('/settings')
  await page.getByRole('button', { name: 'Log Out' }).click()
  await expect.element(page.getByRole('button', { name: 'Sign In', exact: true })).toBeVisible()
  release.resolve()
  // The time is long enough for the refusal to arrive.
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(readAddress()).toBe('/login')
  expect(recordedRequests.filter(({ path }) => path === '/session/visit')).toHaveLength(1)
})
