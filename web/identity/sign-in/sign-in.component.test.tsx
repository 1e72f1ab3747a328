import { beforeEach, describe, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { ERRORS } from '#contract/errors.ts'
import { readAddress, open, findToast } from '#web/test/app.tsx'
import { bank, changeRequests, refusalAnswer } from '#web/test/bank.ts'

const email = page.getByLabelText('Email', { exact: true })
const password = page.getByLabelText('Password', { exact: true })
const button = (name: string) => page.getByRole('button', { name, exact: true })
const signIn = button('Sign In')
const biometric = button('Use Biometric')
const sheet = page.getByRole('dialog')

async function fill(emailText = 'ann@example.com', passwordText = 'copper kettle'): Promise<void> {
  await email.fill(emailText)
  await password.fill(passwordText)
  await signIn.click()
}

// Passkeys in autofill are tested end to end (e2e/identity.spec.ts).
beforeEach(() => void vi.spyOn(PublicKeyCredential, 'isConditionalMediationAvailable').mockResolvedValue(false))

test('both fields are required, a wrong password is refused, and the right one opens the dashboard', async () => {
  await open('/login')
  await signIn.click()
  await expect.element(findToast('Please fill in all fields')).toBeVisible()
  await expect.element(email).toHaveFocus()
  expect(changeRequests()).toEqual([])
  bank.post('/session', refusalAnswer('credentials_wrong'))
  await fill('ann@example.com', 'wrong')
  await expect.element(findToast(ERRORS.credentials_wrong.message)).toBeVisible()
  await expect.element(password).toHaveFocus()
  await expect.element(email).toHaveValue('ann@example.com')
  bank.post('/session', { status: 'signed_in', me: await bank.recorded('/me') })
  await fill('  ANN@example.com')
  await expect.element(findToast('Login successful!')).toBeVisible()
  expect(changeRequests().at(-1)?.json).toEqual({ email: 'ANN@example.com', password: 'copper kettle' })
  await expect.poll(readAddress).toBe('/dashboard')
})

test('after too many attempts the screen shows the waiting time', async () => {
  bank.post('/session', refusalAnswer('too_many_requests', undefined, { 'retry-after': '900' }))
  await open('/login')
  await fill()
  await expect.element(findToast('Too many attempts. Try again in 15 minutes')).toBeVisible()
  expect(readAddress()).toBe('/login')
})

describe('biometrics', () => {
  test('show progress only on the pressed button, and return to the requesting screen', async () => {
    bank.post('/session/biometric', { status: 'signed_in', me: await bank.recorded('/me') })
    await open('/login?next=%2Ftransactions%3Fcategory%3Dfood')
    await biometric.click()
    await expect.element(findToast('Biometric authentication successful!')).toBeVisible()
    expect(getComputedStyle(biometric.element()).opacity).toBe('1')
    expect(biometric.element().querySelector('.lucide-fingerprint')).toBeNull()
    expect(signIn.element().querySelector('svg')).toBeNull()
    await expect.poll(readAddress).toBe('/transactions?category=food')
  })

  test('never redirect to another site', async () => {
    bank.post('/session/biometric', { status: 'signed_in', me: await bank.recorded('/me') })
    await open(`/login?${new URLSearchParams({ next: '/.//elsewhere.example' })}`)
    await biometric.click()
    await expect.poll(readAddress).toBe('/dashboard')
  })

  test('use a passkey if a device alone cannot sign in', async () => {
    bank.get('/session', {
      ...(await bank.recorded('/session')),
      me: null,
      signInRequired: true,
      biometricWithoutPasskey: false,
    })
    bank.post('/session/passkey/options', refusalAnswer('unavailable'))
    await open('/login')
    await expect.element(biometric).toBeVisible()
    await biometric.click()
    await expect.poll(() => changeRequests().map(({ path }) => path)).toEqual(['/session/passkey/options'])
    await expect.element(biometric).toBeEnabled()
  })

  test('report that no passkey was used', async () => {
    localStorage.setItem('alder.passkey', 'made')
    const options = { challenge: 'AAAA', rpId: 'localhost', allowCredentials: [], userVerification: 'required' }
    bank.post('/session/passkey/options', { oneTimeToken: 'token', options })
    vi.spyOn(navigator.credentials, 'get').mockRejectedValue(new DOMException('', 'NotAllowedError'))
    await open('/login')
    await biometric.click()
    await expect.element(findToast(ERRORS.passkey_cancelled.message)).toBeVisible()
    expect(readAddress()).toBe('/login')
  })
})

test('a forgotten password gives the same response for any address, and refuses an invalid one', async () => {
  bank.post('/password-resets', () => new Response(null, { status: 202 }) as never)
  await open('/login')
  await email.fill('ann@example.com')
  await button('Forgot Password?').click()
  const emailField = sheet.getByLabelText('Your Email')
  await expect.element(emailField).toHaveValue('ann@example.com')
  await expect.element(emailField).toHaveFocus()
  await emailField.fill('')
  await sheet.getByRole('button', { name: 'Send Link' }).click()
  await expect.element(emailField).toHaveAccessibleDescription('Enter your email')
  await emailField.fill('nobody')
  await sheet.getByRole('button', { name: 'Send Link' }).click()
  await expect.element(emailField).toHaveAccessibleDescription('Please enter a valid email address')
  expect(changeRequests()).toEqual([])
  await emailField.fill('nobody@example.com')
  await sheet.getByRole('button', { name: 'Send Link' }).click()
  await expect.element(sheet).toMatchTextContent('If this address has an Alder account, a link is on its way.')
  await sheet.getByRole('button', { name: 'Done' }).click()
  await button('Forgot Password?').click()
  await expect.element(sheet.getByLabelText('Your Email')).toBeVisible()
})

describe('the second factor', () => {
  const code = page.getByLabelText('Six-Digit Code')

  async function atSecondFactor(): Promise<void> {
    bank.post('/session', { status: 'second_factor', oneTimeToken: 'half' })
    await open('/login')
    await fill()
    await expect.element(code).toHaveFocus()
  }

  test('is required, by pasting or typing', async () => {
    await atSecondFactor()
    expect(findToast('Login successful!').query()).toBeNull()
    await signIn.click()
    await expect.element(code).toHaveAccessibleDescription('Enter all six digits')
    bank.post('/session/second-factor', refusalAnswer('code_wrong'))
    await code.fill('000000')
    await expect.element(findToast(ERRORS.code_wrong.message)).toBeVisible()
    await expect.element(code).toHaveValue('')
    await expect.element(code).toHaveFocus()
    bank.post('/session/second-factor', { status: 'signed_in', me: await bank.recorded('/me') })
    await userEvent.type(code, '123 456')
    await expect.element(findToast('Login successful!')).toBeVisible()
    expect(changeRequests().at(-1)?.json).toEqual({ oneTimeToken: 'half', code: '123456' })
    await expect.poll(readAddress).toBe('/dashboard')
  })

  test('may be a recovery code, with a way back', async () => {
    await atSecondFactor()
    await button('Back').click()
    await expect.element(email).toHaveValue('ann@example.com')
    await fill()
    await button('Use a Recovery Code').click()
    const recovery = page.getByLabelText('Recovery Code')
    await expect.element(recovery).toHaveFocus()
    bank.post('/session/second-factor', { status: 'signed_in', me: await bank.recorded('/me') })
    await recovery.fill('abcde-fghjk')
    await signIn.click()
    await expect.element(findToast('Login successful!')).toBeVisible()
    expect(changeRequests().at(-1)?.json).toEqual({ oneTimeToken: 'half', code: 'abcde-fghjk' })
  })
})
