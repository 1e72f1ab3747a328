import { beforeEach, describe, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { ERRORS } from '#contract/errors.ts'
import { address, open, toast } from '#web/test/app.tsx'
import { bank, changes, refused } from '#web/test/bank.ts'

const email = page.getByLabelText('Email', { exact: true })
const password = page.getByLabelText('Password', { exact: true })
const button = (name: string) => page.getByRole('button', { name, exact: true })
const signIn = button('Sign In')
const biometric = button('Use Biometric')
const sheet = page.getByRole('dialog')

async function fill(who = 'ann@example.com', typed = 'copper kettle'): Promise<void> {
  await email.fill(who)
  await password.fill(typed)
  await signIn.click()
}

// What a browser fills in by itself is a journey's (e2e/identity.spec.ts).
beforeEach(() => void vi.spyOn(PublicKeyCredential, 'isConditionalMediationAvailable').mockResolvedValue(false))

test('both fields are asked for, a wrong password is refused, and the right one leads to the dashboard', async () => {
  await open('/login')
  await signIn.click()
  await expect.element(toast('Please fill in all fields')).toBeVisible()
  await expect.element(email).toHaveFocus()
  expect(changes()).toEqual([])
  bank.post('/session', refused('credentials_wrong'))
  await fill('ann@example.com', 'wrong')
  await expect.element(toast(ERRORS.credentials_wrong.message)).toBeVisible()
  await expect.element(password).toHaveFocus()
  await expect.element(email).toHaveValue('ann@example.com')
  bank.post('/session', { status: 'signed_in', me: await bank.recorded('/me') })
  await fill('  ANN@example.com')
  await expect.element(toast('Login successful!')).toBeVisible()
  expect(changes().at(-1)?.json).toEqual({ email: 'ANN@example.com', password: 'copper kettle' })
  await expect.poll(address).toBe('/dashboard')
})

test('after too many tries it says when to come back', async () => {
  bank.post('/session', refused('too_many_requests', undefined, { 'retry-after': '900' }))
  await open('/login')
  await fill()
  await expect.element(toast('Too many attempts. Try again in 15 minutes')).toBeVisible()
  expect(address()).toBe('/login')
})

describe('biometrics', () => {
  test('say so on the button that was pressed alone, and lead back to where they were asked for', async () => {
    bank.post('/session/biometric', { status: 'signed_in', me: await bank.recorded('/me') })
    await open('/login?next=%2Ftransactions%3Fcategory%3Dfood')
    await biometric.click()
    await expect.element(toast('Biometric authentication successful!')).toBeVisible()
    expect(getComputedStyle(biometric.element()).opacity).toBe('1')
    expect(biometric.element().querySelector('.lucide-fingerprint')).toBeNull()
    expect(signIn.element().querySelector('svg')).toBeNull()
    await expect.poll(address).toBe('/transactions?category=food')
  })

  test('never lead to another site', async () => {
    bank.post('/session/biometric', { status: 'signed_in', me: await bank.recorded('/me') })
    await open(`/login?${new URLSearchParams({ next: '/.//elsewhere.example' })}`)
    await biometric.click()
    await expect.poll(address).toBe('/dashboard')
  })

  test('are a passkey’s where a device alone signs nobody in', async () => {
    bank.get('/session', {
      ...(await bank.recorded('/session')),
      me: null,
      signInRequired: true,
      biometricWithoutPasskey: false,
    })
    bank.post('/session/passkey/options', refused('unavailable'))
    await open('/login')
    await expect.element(biometric).toBeVisible()
    await biometric.click()
    await expect.poll(() => changes().map(({ path }) => path)).toEqual(['/session/passkey/options'])
    await expect.element(biometric).toBeEnabled()
  })

  test('say that no passkey was used', async () => {
    localStorage.setItem('alder.passkey', 'made')
    const options = { challenge: 'AAAA', rpId: 'localhost', allowCredentials: [], userVerification: 'required' }
    bank.post('/session/passkey/options', { oneTimeToken: 'token', options })
    vi.spyOn(navigator.credentials, 'get').mockRejectedValue(new DOMException('', 'NotAllowedError'))
    await open('/login')
    await biometric.click()
    await expect.element(toast(ERRORS.passkey_cancelled.message)).toBeVisible()
    expect(address()).toBe('/login')
  })
})

test('a forgotten password: the answer is the same for any address, and what is no address is refused', async () => {
  bank.post('/password-resets', () => new Response(null, { status: 202 }) as never)
  await open('/login')
  await email.fill('ann@example.com')
  await button('Forgot Password?').click()
  const asked = sheet.getByLabelText('Your Email')
  await expect.element(asked).toHaveValue('ann@example.com')
  await expect.element(asked).toHaveFocus()
  await asked.fill('')
  await sheet.getByRole('button', { name: 'Send Link' }).click()
  await expect.element(asked).toHaveAccessibleDescription('Enter your email')
  await asked.fill('nobody')
  await sheet.getByRole('button', { name: 'Send Link' }).click()
  await expect.element(asked).toHaveAccessibleDescription('Please enter a valid email address')
  expect(changes()).toEqual([])
  await asked.fill('nobody@example.com')
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

  test('is asked for, pasted or typed', async () => {
    await atSecondFactor()
    expect(toast('Login successful!').query()).toBeNull()
    await signIn.click()
    await expect.element(code).toHaveAccessibleDescription('Enter all six digits')
    bank.post('/session/second-factor', refused('code_wrong'))
    await code.fill('000000')
    await expect.element(toast(ERRORS.code_wrong.message)).toBeVisible()
    await expect.element(code).toHaveValue('')
    await expect.element(code).toHaveFocus()
    bank.post('/session/second-factor', { status: 'signed_in', me: await bank.recorded('/me') })
    await userEvent.type(code, '123 456')
    await expect.element(toast('Login successful!')).toBeVisible()
    expect(changes().at(-1)?.json).toEqual({ oneTimeToken: 'half', code: '123456' })
    await expect.poll(address).toBe('/dashboard')
  })

  test('may be a recovery code, and can be gone back from', async () => {
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
    await expect.element(toast('Login successful!')).toBeVisible()
    expect(changes().at(-1)?.json).toEqual({ oneTimeToken: 'half', code: 'abcde-fghjk' })
  })
})
