import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { ERRORS } from '#contract/errors.ts'
import { readAddress, open, findToast } from '#web/test/app.tsx'
import { bank, changeRequests, refusalAnswer } from '#web/test/bank.ts'

const password = page.getByLabelText('Password', { exact: true })
const confirmation = page.getByLabelText('Confirm Password')
const save = page.getByRole('button', { name: 'Save Password' })
const confirm = page.getByRole('button', { name: 'Confirm Email' })
const invalidHeading = page.getByRole('heading', { name: ERRORS.link_invalid.message })
const toasts = () => document.querySelectorAll('[data-sonner-toast]')

test('an invalid link to a new password shows an error, and its token leaves the address', async () => {
  vi.spyOn(PublicKeyCredential, 'isConditionalMediationAvailable').mockResolvedValue(false)
  bank.post('/passwords', refusalAnswer('link_invalid'))
  await open('/reset-password?token=none')
  await expect.poll(readAddress).toBe('/reset-password')
  await save.click()
  await expect.element(findToast('Please fill in all fields')).toBeVisible()
  await password.fill('green heron')
  await confirmation.fill('grey heron')
  await save.click()
  await expect.element(page.getByRole('listitem').getByText("Passwords don't match")).toBeVisible()
  expect(changeRequests()).toEqual([])
  await confirmation.fill('green heron')
  await save.click()
  await expect.element(invalidHeading).toBeVisible()
  expect(changeRequests()).toMatchObject([{ json: { oneTimeToken: 'none', password: 'green heron' } }])
  await expect.poll(() => toasts().length).toBe(0)
  await page.getByRole('link', { name: 'Request a New Link' }).click()
  await expect.element(page.getByRole('dialog').getByLabelText('Your Email')).toBeVisible()
})

test('an invalid link to confirm an email shows an error', async () => {
  bank.post('/email-confirmations', refusalAnswer('link_invalid'))
  await open('/confirm-email?token=none')
  await expect.poll(readAddress).toBe('/confirm-email')
  await confirm.click()
  await expect.element(invalidHeading).toBeVisible()
})

test.for(['/reset-password', '/confirm-email'])('%s without a link shows an error', async (path) => {
  await open(path)
  await expect.element(invalidHeading).toBeVisible()
})

test('an email is confirmed only by a press, with the password if signed out', async () => {
  vi.spyOn(PublicKeyCredential, 'isConditionalMediationAvailable').mockResolvedValue(false)
  bank.get('/session', { ...(await bank.recorded('/session')), me: null })
  bank.post('/email-confirmations', ({ json }) => {
    if (json.password === undefined) return refusalAnswer('fields_missing', 'password')
    return json.password === 'green heron' ? { status: 'done' as const } : refusalAnswer('credentials_wrong')
  })
  await open('/confirm-email?token=abc')
  await expect.element(page.getByRole('heading', { name: 'Is this your email?' })).toBeVisible()
  expect(changeRequests()).toEqual([])
  await confirm.click()
  await expect.element(password).toHaveFocus()
  await expect.poll(() => toasts().length).toBe(0)
  await password.fill('wrong')
  await confirm.click()
  await expect.element(findToast(ERRORS.credentials_wrong.message)).toBeVisible()
  await password.fill('green heron')
  await confirm.click()
  await expect.element(findToast('Email confirmed')).toBeVisible()
  await expect.poll(readAddress).toBe('/login')
  expect(changeRequests().map(({ json }) => json)).toEqual([
    { oneTimeToken: 'abc' },
    { oneTimeToken: 'abc', password: 'wrong' },
    { oneTimeToken: 'abc', password: 'green heron' },
  ])
})
