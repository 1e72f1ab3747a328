import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect, type Locator, type Page, test } from '@playwright/test'
import { URI } from 'otpauth'
import type { Me } from '#contract/identity.ts'
import type { Mail } from '#contract/mail.ts'
import type { Profile } from '#contract/profile.ts'
import { expectAccessible } from './accessibility.ts'
import { readFromBank, signIn, findToast } from './bank.ts'

// Some of these tests are long, and each opens a customer with eight months of transactions.
test.describe.configure({ timeout: 120_000 })

const switchNamed = (page: Page, name: string) => page.getByRole('switch', { name })

/** Returns the mails to an address in this sample bank, newest first. */
async function mailsTo(page: Page, address: string): Promise<Mail[]> {
  return (await readFromBank<{ mails: Mail[] }>(page, '/sample/mail')).mails.filter(({ to }) => to === address)
}

/** Opens a screen, which makes a new visitor a sample customer, and waits until it shows `shown`. */
async function open(page: Page, path: string, content: Locator): Promise<Me['customer']> {
  await page.goto(path)
  await expect(content).toBeVisible({ timeout: 45_000 })
  return (await readFromBank<Me>(page, '/me')).customer
}

const openSettings = (page: Page) =>
  open(page, '/settings', page.getByRole('region', { name: 'Signed in as' }).getByText('@'))
const openSecurity = (page: Page) => open(page, '/security-privacy', switchNamed(page, 'Transaction Alerts'))
const openPersonalInfo = (page: Page) => open(page, '/personal-info', page.getByLabel('Full Name'))

/** Adds a virtual device that creates and uses passkeys without a prompt. */
async function addAuthenticator(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

/** Switches two-factor authentication on as a person does, with an authenticator app. */
async function switchTwoFactorOn(page: Page): Promise<void> {
  const setup = page.waitForResponse((answer) => answer.url().endsWith('/two-factor/setup'))
  await switchNamed(page, 'Two-Factor Authentication').click()
  const { uri } = (await (await setup).json()) as { uri: string }
  const app = URI.parse(uri)
  if (!('counter' in app)) throw new Error('not a TOTP address')
  await page.getByRole('textbox', { name: 'Code' }).fill(app.generate())
  await expect(page.getByRole('heading', { name: 'Recovery codes' })).toBeVisible()
}

test('saved personal information is stored by the bank, and shown on other screens', async ({ page }) => {
  await openPersonalInfo(page)
  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByLabel('Full Name').fill('Ada Byron')
  await page.getByLabel('Postcode').fill('sw1y 4le')
  await page.getByRole('button', { name: 'Save Changes' }).click()
  await expect(findToast(page, 'Personal information updated successfully!')).toBeVisible()
  await expect(page.getByLabel('Postcode')).toHaveValue('SW1Y 4LE')
  expect(await readFromBank<Profile>(page, '/profile')).toMatchObject({ fullName: 'Ada Byron', postcode: 'SW1Y 4LE' })
  await page.getByRole('link', { name: 'Back' }).click()
  await expect(page).toHaveURL('/settings')
  await expect(page.getByRole('region', { name: 'Signed in as' })).toContainText('Ada Byron')
})

test.describe('security and privacy', () => {
  test('Change Password sends a link', async ({ page }) => {
    const customer = await openSecurity(page)
    await page.getByRole('button', { name: 'Change Password' }).click()
    const sentToast = findToast(page, 'Password change link sent to your email')
    await expect(sentToast).toBeVisible()
    await expect.poll(async () => (await mailsTo(page, customer.email)).length).toBe(1)
    await sentToast.getByRole('button', { name: 'Open Mailbox' }).click()
    await expect(page).toHaveURL('/sample/mail')
    await page.getByText('Choose a new password').click()
    const letter = page.frameLocator('iframe')
    await expect(letter.getByRole('heading', { name: 'Choose a new password' })).toBeVisible()
    // The frame is as tall as its content and may not run scripts.
    const frame = page.locator('iframe')
    await expect(frame).not.toHaveAttribute('sandbox', /allow-scripts/)
    const hidden = () =>
      frame.evaluate(
        (element: HTMLIFrameElement) => (element.contentDocument?.body.scrollHeight ?? 1e6) - element.clientHeight,
      )
    await expect.poll(hidden).toBeLessThanOrEqual(2)
    await page.getByRole('button', { name: 'Show Text Only' }).click()
    await expect(page.getByRole('link', { name: /reset-password\?token=/ })).toBeVisible()
    await page.getByRole('button', { name: 'Show Design' }).click()
    await letter.getByRole('link', { name: 'Choose New Password' }).click()
    await expect(page).toHaveURL(/\/reset-password/)
    await expect(page.getByRole('heading', { name: 'Choose a new password' })).toBeVisible()
  })
})

test('customers can download their data', async ({ page }) => {
  const customer = await openSecurity(page)
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download My Data' }).click()
  const file = await saved
  expect(file.suggestedFilename()).toBe('alder-data.json')
  const data = readFileSync(await file.path(), 'utf8')
  expect(JSON.parse(data)).toBeTruthy()
  expect(data).toContain(customer.email)
  await expect(findToast(page, 'Your data has been downloaded')).toBeVisible()
})

test.describe('has no violations, light and dark', () => {
  // Devices are listed only for customers with a password.
  test.beforeEach(({ page }) => signIn(page, `axe.${randomUUID()}@example.com`, 'correct horse'))

  const close = async (page: Page) => {
    await page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).click()
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }

  test('settings, personal information, and security with its lists', async ({ page }) => {
    await openSettings(page)
    await expect(page.getByRole('link', { name: 'Verify Your Identity' })).toBeVisible()
    await expectAccessible(page, 'settings')
    await openPersonalInfo(page)
    await expectAccessible(page, 'personal information')
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Full Name').fill('')
    await page.getByRole('button', { name: 'Save Changes' }).click()
    await expect(findToast(page, 'Please fill in all fields')).toBeVisible()
    await expectAccessible(page, 'personal information, refused')
    await openSecurity(page)
    for (const name of ['Manage Devices', 'Security Activity']) {
      await page.getByRole('link', { name }).click()
      await expect(page.getByRole('main').getByRole('listitem').first()).toBeVisible()
      await expectAccessible(page, name)
      await page.getByRole('link', { name: 'Back' }).click()
    }
    await page.getByRole('button', { name: 'Close My Account' }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await expectAccessible(page, 'Close My Account')
    await close(page)
  })

  test('passkeys, two-factor authentication and recovery codes', async ({ page }) => {
    await addAuthenticator(page)
    await openSecurity(page)
    await page.getByRole('button', { name: 'Add a Passkey' }).click()
    await expect(page.getByRole('button', { name: 'Add Another Passkey' })).toBeVisible()
    await expectAccessible(page, 'security')
    await switchNamed(page, 'Biometric Login').click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await expectAccessible(page, 'biometrics off')
    await close(page)
    await switchNamed(page, 'Two-Factor Authentication').click()
    await expect(page.getByRole('img', { name: 'QR code' })).toBeVisible()
    await expectAccessible(page, 'two-factor setup')
    await close(page)
    await switchTwoFactorOn(page)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('alert')).toBeVisible()
    await expectAccessible(page, 'recovery codes')
    await page.getByRole('button', { name: "I've Saved Them" }).click()
    await page.getByRole('button', { name: 'Recovery Codes' }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await expectAccessible(page, 'new recovery codes')
  })
})
