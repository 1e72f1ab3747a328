import { type Browser, type BrowserContext, type CDPSession, expect, type Page } from '@playwright/test'
import sharp from 'sharp'
import type { Kyc } from '#contract/kyc.ts'
import { readFromBank, readAvailable, authenticatorCode, confirmReview, findToast } from './bank.ts'
import { FILE_READ } from './files.ts'
import { type LiveBank, test } from './live-mode.ts'

test.use({
  launchOptions: async ({ launchOptions }, use) => {
    const camera = ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream']
    await use({ ...launchOptions, args: [...(launchOptions.args ?? []), ...camera] })
  },
})

type Person = { name: string; email: string; phone: string; password: string }

const VERA: Person = {
  name: 'Vera Vance',
  email: 'vera@example.com',
  phone: '07700 900123',
  password: 'seven green herons wade',
}
const RUTH: Person = {
  name: 'Ruth Reader',
  email: 'ruth@example.com',
  phone: '07700 900456',
  password: 'a lamp beside the harbour',
}

const NEW_PASSWORD = 'four quiet copper kettles'

async function openPage(browser: Browser, live: LiveBank): Promise<Page> {
  const context = await browser.newContext({ baseURL: live.url, viewport: { width: 390, height: 844 } })
  const page = await context.newPage()
  // A new context does not use the time limits of the configuration.
  page.setDefaultTimeout(FILE_READ.timeout)
  return page
}

/** Signs up, from the first slide to an open account, and confirms the email with the link in the mail. */
async function signUp(page: Page, live: LiveBank, { name, email, phone, password }: Person): Promise<void> {
  await page.goto('/')
  for (let slide = 0; slide < 3; slide += 1) await page.getByRole('button', { name: 'Next' }).click()
  await page.getByRole('link', { name: 'Get Started' }).click()
  await page.getByLabel('Full Name').fill(name)
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByLabel('Phone').fill(phone)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Confirm Password').fill(password)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'Create Account' }).click()
  await expect(findToast(page, 'Account created! Proceeding to KYC verification...')).toBeVisible()
  await expect(page).toHaveURL('/kyc')
  await page.goto(await live.linkTo(email, 'Confirm your email'))
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(page).not.toHaveURL(/confirm-email/)
}

const paper = () =>
  sharp({ create: { width: 800, height: 600, channels: 3, background: '#dfe8e2' } })
    .png()
    .toBuffer()

/** Submits two files and a picture taken with the camera. */
async function verify(page: Page): Promise<void> {
  await page.goto('/kyc')
  const choose = async (): Promise<void> => {
    const choosing = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Upload Document' }).click()
    await (await choosing).setFiles({ name: 'paper.png', mimeType: 'image/png', buffer: await paper() })
  }
  await choose()
  await expect(page.getByRole('heading', { name: 'Take a Selfie' })).toBeVisible(FILE_READ)
  await page.getByRole('button', { name: 'Use Camera' }).click()
  await page.getByRole('button', { name: 'Capture' }).click()
  await page.getByRole('button', { name: 'Use Photo' }).click()
  await expect(page.getByRole('heading', { name: 'Proof of Address' })).toBeVisible(FILE_READ)
  await choose()
  await page.getByRole('button', { name: 'Complete Verification' }).click()
  await expect(findToast(page, 'KYC verification submitted! Redirecting to dashboard...')).toBeVisible()
  await expect(page).toHaveURL('/dashboard')
  expect((await readFromBank<Kyc>(page, '/kyc')).status).toBe('submitted')
}

/** Adds a virtual fingerprint reader that always confirms its owner. */
async function giveFingerprintReader(page: Page): Promise<{ device: CDPSession; authenticatorId: string }> {
  // The virtual device would choose a passkey from the browser's autofill by itself.
  await page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = async () => false
  })
  const device = await page.context().newCDPSession(page)
  await device.send('WebAuthn.enable')
  const { authenticatorId } = await device.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return { device, authenticatorId }
}

async function logOut(page: Page): Promise<void> {
  await page.goto('/settings')
  await page.getByRole('button', { name: 'Log Out' }).click()
  await expect(page).toHaveURL('/login')
}

async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.goto('/login')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
}

async function sendRecoveryCode(page: Page, code: string): Promise<void> {
  await page.getByRole('button', { name: 'Use a Recovery Code' }).click()
  await page.getByLabel('Recovery Code').fill(code)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expect(page).toHaveURL('/dashboard')
}

const confirmDialog = (page: Page) => page.getByRole('dialog', { name: "Confirm it's you" })

async function confirmByPassword(page: Page, password: string): Promise<void> {
  await confirmDialog(page).getByLabel('Your Password').fill(password)
  await confirmDialog(page).getByRole('button', { name: 'Confirm' }).click()
}

const confirmByPasskey = (page: Page) => confirmDialog(page).getByRole('button', { name: 'Use Passkey' }).click()

/** Returns the authenticator app's secret and the recovery codes. */
async function switchTwoFactorOn(
  page: Page,
  confirm: (page: Page) => Promise<void>,
): Promise<{ secret: string; codes: string[] }> {
  await page.goto('/security-privacy')
  // The responses are read as they arrive, because the browser drops them when the page moves on.
  const setup = page
    .waitForResponse((answer) => answer.url().endsWith('/two-factor/setup') && answer.ok())
    .then((answer) => answer.json())
  await page.getByRole('switch', { name: 'Two-Factor Authentication' }).click()
  await confirm(page)
  const { secret } = (await setup) as { secret: string }
  const twoFactorAnswer = page.waitForResponse('**/api/v1/two-factor').then((answer) => answer.json())
  await page.getByRole('textbox', { name: 'Code' }).fill(authenticatorCode(secret))
  const { recoveryCodes } = (await twoFactorAnswer) as { recoveryCodes: string[] }
  await expect(findToast(page, 'Two-factor authentication is on')).toBeVisible()
  return { secret, codes: recoveryCodes }
}

test('a live bank: sign up, pass verification, lose a phone, forget a password, end a device', async ({
  browser,
  live,
}) => {
  test.setTimeout(180_000)
  const page = await openPage(browser, live)
  const contexts: BrowserContext[] = [page.context()]

  await test.step('a visitor who is not signed in sees no account', async () => {
    await page.goto('/transactions?category=food')
    await expect(page).toHaveURL('/login?next=%2Ftransactions%3Fcategory%3Dfood')
    expect((await page.request.get('/api/v1/me')).status()).toBe(401)
  })

  await test.step('sign up and submit documents', async () => {
    await signUp(page, live, VERA)
    await verify(page)
    expect(await readAvailable(page)).toBe(0)
  })

  await test.step('a reviewer approves', async () => {
    const desk = await openPage(browser, live)
    contexts.push(desk.context())
    await signUp(desk, live, RUTH)
    await live.makeReviewer(RUTH.email)
    const { secret } = await switchTwoFactorOn(desk, (from) => confirmByPassword(from, RUTH.password))
    await desk.goto('/review')
    await desk.getByText(VERA.name).first().click()
    await desk.getByRole('button', { name: 'Open Documents' }).click()
    // Switching two-factor authentication on has used up the current code.
    await desk.getByRole('textbox', { name: 'Code' }).fill(authenticatorCode(secret, 1))
    for (const name of ['Passport', 'Selfie', 'Utility Bill']) {
      await expect(desk.getByRole('img', { name, exact: true })).toBeVisible(FILE_READ)
    }
    await desk.getByRole('button', { name: 'Approve' }).first().click()
    await desk.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
    await expect.poll(async () => (await readFromBank<Kyc>(page, '/kyc')).status).toBe('approved')
    await live.mailTo(VERA.email, 'verified')
  })

  const { device, authenticatorId } = await giveFingerprintReader(page)
  let factor: { secret: string; codes: string[] } = { secret: '', codes: [] }
  await test.step('add a passkey and an authenticator app', async () => {
    await page.goto('/security-privacy')
    await page.getByRole('switch', { name: 'Biometric Login' }).click()
    await confirmByPassword(page, VERA.password)
    await live.mailTo(VERA.email, 'Passkey added')
    await expect(page.getByRole('switch', { name: 'Biometric Login' })).toBeChecked()
    factor = await switchTwoFactorOn(page, confirmByPasskey)
    expect(new Set(factor.codes).size).toBe(10)
    await live.mailTo(VERA.email, 'Two-factor authentication turned on')
  })

  await test.step('come back by passkey', async () => {
    await logOut(page)
    expect((await page.request.get('/api/v1/me')).status()).toBe(401)
    await page.getByRole('button', { name: 'Use Biometric' }).click()
    await expect(findToast(page, 'Biometric authentication successful!')).toBeVisible()
    await expect(page).toHaveURL('/dashboard')
  })

  await test.step('pay, and confirm one’s identity once more', async () => {
    await page.goto('/add-money')
    await page.getByLabel('Amount').fill('80')
    await page.getByRole('radio', { name: /Card/ }).click()
    await expect(page.getByRole('radio', { name: /Wallet/ })).toHaveCount(0)
    await page.getByRole('button', { name: 'Add Money' }).click()
    await expect(findToast(page, '$80.00 is on its way')).toContainText("once it's confirmed")
    await expect.poll(() => readAvailable(page)).toBe(80_00)
    expect(live.rail.requests).toHaveLength(1)
    await page.goto('/transfer')
    await page.getByLabel('Amount').fill('12.50')
    await page.getByLabel('Recipient').fill(RUTH.email)
    await page.getByRole('button', { name: 'Send Money' }).click()
    await confirmReview(page)
    const sheet = page.getByRole('dialog', { name: "Confirm it's you" })
    await expect(sheet).toContainText('$12.50')
    await expect(sheet).toContainText(RUTH.email)
    expect(await readAvailable(page)).toBe(80_00)
    await sheet.getByRole('button', { name: /passkey|biometric/i }).click()
    await expect(findToast(page, `$12.50 sent successfully to ${RUTH.email}`)).toBeVisible()
    expect(await readAvailable(page)).toBe(67_50)
  })

  await test.step('lose the phone: a recovery code replaces it', async () => {
    await logOut(page)
    await device.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId })
    await signIn(page, VERA.email, VERA.password)
    await sendRecoveryCode(page, factor.codes[0] ?? '')
    await live.mailTo(VERA.email, 'A recovery code was used')
  })

  await test.step('forget the password: the link still requires the second factor', async () => {
    await logOut(page)
    await page.getByRole('button', { name: 'Forgot Password?' }).click()
    await page.getByLabel('Your Email').fill(VERA.email)
    await page.getByRole('button', { name: 'Send Link' }).click()
    await expect(page.getByText('If this address has an Alder account, a link is on its way.')).toBeVisible()
    await page.goto(await live.linkTo(VERA.email, 'Choose a new password'))
    await page.getByLabel('Password', { exact: true }).fill(NEW_PASSWORD)
    await page.getByLabel('Confirm Password').fill(NEW_PASSWORD)
    await page.getByRole('button', { name: 'Save Password' }).click()
    await expect(page).toHaveURL('/login')
    await signIn(page, VERA.email, VERA.password)
    await expect(findToast(page, "That email or password isn't right")).toBeVisible()
    await signIn(page, VERA.email, NEW_PASSWORD)
    await sendRecoveryCode(page, factor.codes[1] ?? '')
  })

  await test.step('end another device', async () => {
    const otherPage = await openPage(browser, live)
    contexts.push(otherPage.context())
    await signIn(otherPage, VERA.email, NEW_PASSWORD)
    await otherPage.getByLabel('Six-Digit Code').fill(authenticatorCode(factor.secret, 1))
    await expect(otherPage).toHaveURL('/dashboard')
    await page.goto('/security-privacy')
    await page.getByRole('link', { name: 'Manage Devices' }).click()
    await page
      .getByRole('main')
      .getByRole('button', { name: /^Sign Out/ })
      .first()
      .click()
    await expect(findToast(page, 'Device signed out')).toBeVisible()
    expect((await otherPage.request.get('/api/v1/me')).status()).toBe(401)
    await otherPage.getByRole('link', { name: 'Send' }).first().click()
    await expect(otherPage).toHaveURL(/\/login/)
    expect((await page.request.get('/api/v1/me')).status()).toBe(200)
  })

  await live.proveBooks()
  for (const context of contexts) await context.close()
})
