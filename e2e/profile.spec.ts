import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type Browser, expect, type Locator, type Page, test } from '@playwright/test'
import { URI } from 'otpauth'
import type { Device, Me, Security, SecurityEvent } from '#contract/identity.ts'
import type { Mail } from '#contract/mail.ts'
import type { Profile } from '#contract/profile.ts'
import { expectAccessible } from './accessibility.ts'
import { arrive, ask, signIn, toast } from './bank.ts'

// Some of these stories are long, and each begins with a customer of eight months.
test.describe.configure({ timeout: 60_000 })

const SWITCHES = ['Biometric Login', 'Two-Factor Authentication', 'Transaction Alerts'] as const

const security = (page: Page) => ask<Security>(page, '/security')
const profile = (page: Page) => ask<Profile>(page, '/profile')
const devices = async (page: Page) => (await ask<{ devices: Device[] }>(page, '/sessions')).devices
const switchNamed = (page: Page, name: string) => page.getByRole('switch', { name })

/** What was mailed in this sample bank to an address, newest first. */
async function mailsTo(page: Page, address: string): Promise<Mail[]> {
  return (await ask<{ mails: Mail[] }>(page, '/sample/mail')).mails.filter(({ to }) => to === address)
}

/** Opens a screen, which makes a new visitor a sample customer, and waits until it shows what `shown` finds. */
async function open(page: Page, path: string, shown: Locator): Promise<Me['customer']> {
  await page.goto(path)
  await expect(shown).toBeVisible({ timeout: 15_000 })
  return (await ask<Me>(page, '/me')).customer
}

const openSettings = (page: Page) =>
  open(page, '/settings', page.getByRole('region', { name: 'Signed in as' }).getByText('@'))
const openSecurity = (page: Page) => open(page, '/security-privacy', switchNamed(page, 'Transaction Alerts'))
const openPersonalInfo = (page: Page) => open(page, '/personal-info', page.getByLabel('Full Name'))

/** A device of this browser's own that makes and shows passkeys without asking anybody. */
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

/** Shows once more who one is, where the bank asks for it. */
async function proveWithRecoveryCode(page: Page, code = ''): Promise<void> {
  const proof = page.getByRole('dialog', { name: "Confirm it's you" })
  await proof.getByRole('button', { name: /recovery code/i }).click()
  await proof.getByRole('textbox').fill(code)
  await proof.getByRole('button', { name: 'Confirm' }).click()
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

test.describe('settings', () => {
  test('names who is signed in and leads everywhere', async ({ page }) => {
    const customer = await arrive(page)
    await page.getByRole('link', { name: 'Settings' }).click()
    await expect(page).toHaveURL('/settings')
    const person = page.getByRole('region', { name: 'Signed in as' })
    await expect(person).toContainText(customer.fullName)
    await expect(person).toContainText(customer.email)
    for (const [name, path] of [
      ['Personal Information', '/personal-info'],
      ['Security & Privacy', '/security-privacy'],
      ['Payment Methods', '/payment-methods'],
      ['Statements', '/statements'],
      ['Language', '/language'],
      ['Help Center', '/help-center'],
      ['Verify Your Identity', '/kyc'],
    ] as const) {
      await page.getByRole('link', { name }).click()
      await expect(page).toHaveURL(path)
      await page.goBack()
    }
    for (const group of ['Account', 'Preferences', 'Support'])
      await expect(page.getByRole('heading', { name: group, exact: true })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Identity Reviews' })).toHaveCount(0)
    await page.getByRole('link', { name: 'Back' }).click()
    await expect(page).toHaveURL('/dashboard')
  })

  test('Notifications is on until it is switched off, and stays so', async ({ page }) => {
    await openSettings(page)
    const notifications = switchNamed(page, 'Notifications')
    await expect(notifications).toBeChecked()
    await expect(notifications).toBeEnabled()
    await notifications.click()
    await expect(notifications).not.toBeChecked()
    await expect.poll(async () => (await profile(page)).notifications).toBe(false)
    await page.reload()
    await expect(notifications).toBeEnabled()
    await expect(notifications).not.toBeChecked()
    expect((await profile(page)).transactionAlerts).toBe(true)
  })

  test('a switch that the bank refuses goes back and says why', async ({ page }) => {
    await openSettings(page)
    const notifications = switchNamed(page, 'Notifications')
    await expect(notifications).toBeEnabled()
    await page.route('**/api/v1/preferences', (route) =>
      route.fulfill({ status: 429, json: { error: { code: 'too_many_requests' } } }),
    )
    await notifications.click()
    await expect(toast(page, 'Too many attempts. Please try again in a little while')).toBeVisible()
    await expect(notifications).toBeChecked()
    expect((await profile(page)).notifications).toBe(true)
  })

  test('Dark Mode shows what is, changes it at once and lasts', async ({ page }) => {
    const canvas = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
    await page.emulateMedia({ colorScheme: 'dark' })
    await openSettings(page)
    const dark = await canvas()
    await expect(switchNamed(page, 'Dark Mode')).toBeChecked()
    await switchNamed(page, 'Dark Mode').click()
    await expect(switchNamed(page, 'Dark Mode')).not.toBeChecked()
    await expect.poll(canvas).not.toBe(dark)
    const light = await canvas()
    await page.reload()
    await expect(switchNamed(page, 'Dark Mode')).not.toBeChecked()
    await expect.poll(canvas).toBe(light)
    await switchNamed(page, 'Dark Mode').click()
    await page.emulateMedia({ colorScheme: 'light' })
    await page.reload()
    await expect(switchNamed(page, 'Dark Mode')).toBeChecked()
    await expect.poll(canvas).toBe(dark)
  })

  test('Log Out ends the session at the bank, without a toast', async ({ page, playwright, baseURL }) => {
    await openSettings(page)
    const before = await playwright.request.newContext({
      storageState: await page.context().storageState(),
      ...(baseURL && { baseURL }),
    })
    expect((await before.get('/api/v1/me')).status()).toBe(200)
    await page.getByRole('button', { name: 'Log Out' }).click()
    await expect(page).toHaveURL('/login')
    expect((await before.get('/api/v1/me')).status()).toBe(401)
    await expect(page.locator('[data-sonner-toast]')).toHaveCount(0)
    await before.dispose()
  })

  test('what is refused after Log Out does not ask whoever signs in next to come back here', async ({ page }) => {
    await openSettings(page)
    const ended = Promise.withResolvers<void>()
    const left = Promise.withResolvers<void>()
    await page.route('**/api/v1/kyc', async (route) => {
      await ended.promise
      await route.continue()
    })
    const asksToVisit = page.waitForRequest('**/api/v1/session/visit')
    await page.route('**/api/v1/session', async (route) => {
      const response = await route.fetch()
      ended.resolve()
      await asksToVisit
      await route.fulfill({ response })
    })
    // As a live bank answers, which knows no visitors.
    await page.route('**/api/v1/session/visit', async (route) => {
      await left.promise
      await route.fulfill({ status: 401, json: { error: { code: 'sign_in_required' } } })
    })
    const refused = page.waitForResponse('**/api/v1/session/visit')
    await page.route('**/assets/login-screen-*.js', async (route) => {
      left.resolve()
      await refused
      await route.continue()
    })
    await page.reload()
    await page.getByRole('button', { name: 'Log Out' }).click()
    await expect(page.getByRole('button', { name: 'Sign In', exact: true })).toBeVisible()
    await expect(page).toHaveURL('/login')
  })
})

test.describe('personal information', () => {
  const save = (page: Page) => page.getByRole('button', { name: 'Save Changes' }).click()
  const edit = (page: Page) => page.getByRole('button', { name: 'Edit' }).click()

  test('is read until it is edited; what is saved is what was changed', async ({ page }) => {
    await openPersonalInfo(page)
    for (const [label, type] of [
      ['Full Name', 'text'],
      ['Email', 'email'],
      ['Phone Number', 'tel'],
      ['Date of Birth', 'date'],
      ['Address', 'text'],
      ['Postcode', 'text'],
    ] as const) {
      await expect(page.getByLabel(label, { exact: true })).toHaveAttribute('type', type)
      await expect(page.getByLabel(label, { exact: true })).not.toBeEditable()
    }
    await expect(page.getByRole('button', { name: 'Save Changes' })).toHaveCount(0)
    await edit(page)
    await page.getByLabel('Full Name').fill('Ada Byron')
    await page.getByLabel('Date of Birth').fill('1990-12-10')
    await page.getByLabel('Address').fill('12 St James’s Square, London')
    await page.getByLabel('Postcode').fill('sw1y 4le')
    const asked = page.waitForRequest((request) => request.method() === 'PATCH')
    await save(page)
    expect((await asked).postDataJSON()).toEqual({
      fullName: 'Ada Byron',
      dateOfBirth: '1990-12-10',
      address: '12 St James’s Square, London',
      postcode: 'sw1y 4le',
    })
    await expect(toast(page, 'Personal information updated successfully!')).toBeVisible()
    await expect(page.getByLabel('Full Name')).not.toBeEditable()
    await expect(page.getByRole('button', { name: 'Edit' })).toBeFocused()
    expect(await profile(page)).toMatchObject({
      fullName: 'Ada Byron',
      dateOfBirth: '1990-12-10',
      address: '12 St James’s Square, London',
      postcode: 'SW1Y 4LE',
    })
    // The bank's spelling takes the place of what was typed.
    await expect(page.getByLabel('Postcode')).toHaveValue('SW1Y 4LE')
    await page.getByRole('link', { name: 'Back' }).click()
    await expect(page).toHaveURL('/settings')
    await expect(page.getByRole('region', { name: 'Signed in as' })).toContainText('Ada Byron')
  })

  test('Cancel leaves the edit mode and keeps what was typed, unsaved', async ({ page }) => {
    const customer = await openPersonalInfo(page)
    await edit(page)
    await page.getByLabel('Full Name').fill('Grace Hopper')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expect(page.getByLabel('Full Name')).toHaveValue('Grace Hopper')
    await expect(page.getByLabel('Full Name')).not.toBeEditable()
    await expect(page.getByText('You have unsaved changes.')).toBeVisible()
    expect((await profile(page)).fullName).toBe(customer.fullName)
    await edit(page)
    await save(page)
    await expect(toast(page, 'Personal information updated successfully!')).toBeVisible()
    expect((await profile(page)).fullName).toBe('Grace Hopper')
  })

  test('says at the field and in a toast what it cannot keep, and changes nothing', async ({ page }) => {
    await openPersonalInfo(page)
    const before = await profile(page)
    await edit(page)
    const WRONG = [
      ['Full Name', '  ', 'Please fill in all fields', 'Enter your full name'],
      ['Email', 'nobody', 'Please enter a valid email address'],
      ['Phone Number', '12', 'Please enter a valid phone number'],
      ['Date of Birth', '2020-01-01', 'Please enter a valid date of birth'],
      ['Postcode', '!', 'Please enter a valid postcode'],
    ] as const
    for (const [label, wrong, message, atField = message] of WRONG) {
      const field = page.getByLabel(label, { exact: true })
      const was = await field.inputValue()
      await field.fill(wrong)
      await save(page)
      await expect(toast(page, message)).toBeVisible()
      await expect(field).toHaveAccessibleDescription(atField)
      await expect(field).toBeFocused()
      await expect(field).toBeEditable()
      await field.fill(was)
      await expect(field).not.toHaveAttribute('aria-invalid', 'true')
    }
    expect(await profile(page)).toEqual(before)

    // All that is wrong is marked at once, and the toast says the first of it.
    for (const [label, wrong] of WRONG) await page.getByLabel(label, { exact: true }).fill(wrong)
    await save(page)
    for (const [label] of WRONG) {
      await expect(page.getByLabel(label, { exact: true })).toHaveAttribute('aria-invalid', 'true')
    }
    await expect(page.getByLabel('Full Name')).toBeFocused()
    await page.getByRole('button', { name: 'Discard Changes' }).click()
    await expect(page.getByLabel('Full Name')).toHaveValue(before.fullName)
    await expect(page.getByLabel('Full Name')).not.toBeEditable()
    await expect(page.locator('main [aria-invalid]')).toHaveCount(0)
    await expect(page.getByText('You have unsaved changes.')).toHaveCount(0)
  })

  test('another email waits for a yes from both addresses', async ({ page }) => {
    const customer = await openPersonalInfo(page)
    const email = `new.${randomUUID()}@elsewhere.example`
    await edit(page)
    await page.getByLabel('Email', { exact: true }).fill(email)
    await expect(page.getByText('Your email changes once both are confirmed.')).toBeVisible()
    await save(page)
    await expect(toast(page, 'Personal information updated successfully!')).toBeVisible()
    const told = page.getByRole('region', { name: 'New Email' })
    await expect(told).toContainText(email)
    await expect(told).toContainText("We've sent an email to each address")
    await expect(page.getByLabel('Email', { exact: true })).toHaveValue(customer.email)
    expect(await profile(page)).toMatchObject({ email: customer.email, pendingEmail: email })
    await expect.poll(async () => (await mailsTo(page, customer.email)).length).toBe(1)
    await expect.poll(async () => (await mailsTo(page, email)).length).toBe(1)
    await told.getByRole('link', { name: 'Open Mailbox' }).click()
    await expect(page).toHaveURL('/sample/mail')
  })
})

test.describe('security and privacy', () => {
  test('begins as it should, and says how secrets are kept', async ({ page }) => {
    await openSecurity(page)
    await expect(switchNamed(page, 'Biometric Login')).toBeChecked()
    await expect(switchNamed(page, 'Two-Factor Authentication')).not.toBeChecked()
    await expect(switchNamed(page, 'Transaction Alerts')).toBeChecked()
    for (const name of SWITCHES) await expect(switchNamed(page, name)).toHaveAccessibleDescription(/\w+ \w+/)
    await expect(page.getByText('256-bit encryption')).toBeVisible()
    await page.getByRole('link', { name: 'Back' }).click()
    await expect(page).toHaveURL('/settings')
  })

  test('a sample visitor switches biometrics and alerts off and on', async ({ page }) => {
    await openSecurity(page)
    for (const [name, key] of [
      ['Biometric Login', 'biometricLogin'],
      ['Transaction Alerts', 'transactionAlerts'],
    ] as const) {
      await switchNamed(page, name).click()
      await expect.poll(async () => (await security(page))[key]).toBe(false)
      await page.reload()
      await expect(switchNamed(page, name)).not.toBeChecked()
      await switchNamed(page, name).click()
      await expect.poll(async () => (await security(page))[key]).toBe(true)
      await expect(switchNamed(page, name)).toBeChecked()
    }
    expect((await security(page)).passkeys).toEqual([])
  })

  test('Change Password sends a link', async ({ page }) => {
    const customer = await openSecurity(page)
    await page.getByRole('button', { name: 'Change Password' }).click()
    const said = toast(page, 'Password change link sent to your email')
    await expect(said).toBeVisible()
    await expect.poll(async () => (await mailsTo(page, customer.email)).length).toBe(1)
    await said.getByRole('button', { name: 'Open Mailbox' }).click()
    await expect(page).toHaveURL('/sample/mail')
    await page.getByText('Choose a new password').click()
    const letter = page.frameLocator('iframe')
    await expect(letter.getByRole('heading', { name: 'Choose a new password' })).toBeVisible()
    // As tall as what is in it, and without the right to run anything.
    const frame = page.locator('iframe')
    await expect(frame).not.toHaveAttribute('sandbox', /allow-scripts/)
    const hidden = () =>
      frame.evaluate((it: HTMLIFrameElement) => (it.contentDocument?.body.scrollHeight ?? 1e6) - it.clientHeight)
    await expect.poll(hidden).toBeLessThanOrEqual(2)
    await page.getByRole('button', { name: 'Show Text Only' }).click()
    await expect(page.getByRole('link', { name: /reset-password\?token=/ })).toBeVisible()
    await page.getByRole('button', { name: 'Show Design' }).click()
    await letter.getByRole('link', { name: 'Choose New Password' }).click()
    await expect(page).toHaveURL(/\/reset-password/)
    await expect(page.getByRole('heading', { name: 'Choose a new password' })).toBeVisible()
  })

  test('Manage Devices is for who can sign in on another', async ({ page }) => {
    await openSecurity(page)
    await page.getByRole('button', { name: 'Manage Devices' }).click()
    await expect(toast(page, 'Feature coming soon!')).toBeVisible()
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })

  test('two-factor authentication is switched on with an app', async ({ page, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await openSecurity(page)
    await switchNamed(page, 'Two-Factor Authentication').click()
    const sheet = page.getByRole('dialog')
    await expect(sheet.getByRole('img', { name: 'QR code' })).toBeVisible()
    // A phone cannot scan its own screen: the same as a link, before the code.
    const link = sheet.getByRole('link', { name: 'Open in Your Authenticator App' })
    await expect(link).toHaveAttribute('href', /^otpauth:\/\/totp\//)
    await sheet.getByRole('button', { name: 'Copy Key' }).click()
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toMatch(/^[A-Z2-7]{32}$/)
    await sheet.getByRole('textbox', { name: 'Code' }).fill('000000')
    await expect(sheet.getByText("That code isn't right. Please try the next one")).toBeVisible()
    expect((await security(page)).twoFactor).toBe(false)
    await sheet.getByRole('button', { name: 'Close' }).click()
    await expect(switchNamed(page, 'Two-Factor Authentication')).not.toBeChecked()

    await switchTwoFactorOn(page)
    // What is said does not lie on what is to be done next.
    await expect(toast(page, 'Two-factor authentication is on')).toBeVisible()
    await sheet.getByRole('button', { name: "I've Saved Them" }).click({ trial: true, timeout: 2_500 })
    expect(await security(page)).toMatchObject({ twoFactor: true, recoveryCodesLeft: 10 })
    const codes = await sheet.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem').allTextContents()
    expect(new Set(codes).size).toBe(10)
    const saved = page.waitForEvent('download')
    await sheet.getByRole('button', { name: 'Download' }).click()
    const text = readFileSync(await (await saved).path(), 'utf8')
    for (const one of codes) expect(text).toContain(one)
    await sheet.getByRole('button', { name: 'Copy', exact: true }).click()
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(text)
    await page.keyboard.press('Escape')
    await expect(sheet.getByRole('alert')).toContainText('Save your codes first')
    await sheet.getByRole('button', { name: "I've Saved Them" }).click()
    await expect(sheet).toHaveCount(0)
    await expect(switchNamed(page, 'Two-Factor Authentication')).toBeChecked()
    await expect(page.getByRole('button', { name: 'Recovery Codes' })).toContainText('10 of 10 left')
  })

  test('what asks for a fresh proof is not done where the person thinks better of it, and done with one', async ({
    page,
  }) => {
    // A visitor has shown nothing yet: whatever two-factor authentication protects asks for it.
    await openSecurity(page)
    await switchTwoFactorOn(page)
    const codes = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
    const [recoveryCode = ''] = await codes.allTextContents()
    await page.getByRole('button', { name: "I've Saved Them" }).click()
    await switchNamed(page, 'Two-Factor Authentication').click()
    await page.getByRole('button', { name: 'Turn Off' }).click()
    const proof = page.getByRole('dialog', { name: "Confirm it's you" })
    await proof.getByRole('button', { name: 'Close' }).click()
    await expect(proof).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'Turn Off' })).toBeEnabled()
    await expect(page.getByRole('alert')).toHaveCount(0)
    expect((await security(page)).twoFactor).toBe(true)

    await page.getByRole('button', { name: 'Turn Off' }).click()
    await proveWithRecoveryCode(page, recoveryCode)
    await expect(toast(page, 'Two-factor authentication is off')).toBeVisible()
    expect((await security(page)).twoFactor).toBe(false)
  })

  test('two-factor authentication: new recovery codes, and off', async ({ page }) => {
    await signIn(page, `codes.${randomUUID()}@example.com`, 'correct horse')
    await openSecurity(page)
    await switchTwoFactorOn(page)
    const sheet = page.getByRole('dialog')
    const codes = sheet.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
    const before = await codes.allTextContents()
    await sheet.getByRole('button', { name: "I've Saved Them" }).click()
    await page.getByRole('button', { name: 'Recovery Codes' }).click()
    await sheet.getByRole('button', { name: 'Get New Codes' }).click()
    await proveWithRecoveryCode(page, before[0])
    await expect(codes).toHaveCount(10)
    const after = await codes.allTextContents()
    expect(after.filter((code) => before.includes(code))).toEqual([])
    await sheet.getByRole('button', { name: "I've Saved Them" }).click()

    await switchNamed(page, 'Two-Factor Authentication').click()
    await sheet.getByRole('button', { name: 'Keep It On' }).click()
    await expect(switchNamed(page, 'Two-Factor Authentication')).toBeChecked()
    await switchNamed(page, 'Two-Factor Authentication').click()
    await sheet.getByRole('button', { name: 'Turn Off' }).click()
    await proveWithRecoveryCode(page, after[0])
    await expect(toast(page, 'Two-factor authentication is off')).toBeVisible()
    await expect(switchNamed(page, 'Two-Factor Authentication')).not.toBeChecked()
    expect(await security(page)).toMatchObject({ twoFactor: false, recoveryCodesLeft: 0 })
  })
})

test.describe('passkeys', () => {
  test('are made, listed and removed; the switch takes them all away', async ({ page }) => {
    await addAuthenticator(page)
    await openSecurity(page)
    await page.getByRole('button', { name: 'Add a Passkey' }).click()
    await expect(toast(page, 'Passkey added')).toBeVisible()
    const [made] = (await security(page)).passkeys
    await expect(page.getByRole('button', { name: `Remove ${made?.name}` })).toBeVisible()
    await expect(page.getByText('never used')).toBeVisible()
    expect(await page.evaluate(() => localStorage.getItem('alder.passkey'))).not.toBeNull()

    await page.getByRole('button', { name: 'Add Another Passkey' }).click()
    await expect(toast(page, 'This device already has a passkey for Alder')).toBeVisible()

    await switchNamed(page, 'Biometric Login').click()
    await page.getByRole('button', { name: 'Keep It On' }).click()
    await expect(switchNamed(page, 'Biometric Login')).toBeChecked()
    expect((await security(page)).passkeys).toHaveLength(1)
    await switchNamed(page, 'Biometric Login').click()
    await page.getByRole('button', { name: 'Turn Off' }).click()
    await expect(toast(page, 'Passkey removed')).toBeVisible()
    await expect(switchNamed(page, 'Biometric Login')).not.toBeChecked()
    await expect.poll(async () => security(page)).toMatchObject({ passkeys: [], biometricLogin: false })
    expect(await page.evaluate(() => localStorage.getItem('alder.passkey'))).toBeNull()
  })

  test('of who has a password: the switch makes one, its row takes it away', async ({ page }) => {
    await addAuthenticator(page)
    await signIn(page, `keys.${randomUUID()}@example.com`, 'correct horse')
    await openSecurity(page)
    if (await switchNamed(page, 'Biometric Login').isChecked()) await switchNamed(page, 'Biometric Login').click()
    await expect.poll(async () => (await security(page)).biometricLogin).toBe(false)
    await switchNamed(page, 'Biometric Login').click()
    await expect(toast(page, 'Passkey added')).toBeVisible()
    await expect(switchNamed(page, 'Biometric Login')).toBeChecked()
    const { passkeys } = await security(page)
    expect(passkeys).toHaveLength(1)
    await page.getByRole('button', { name: `Remove ${passkeys[0]?.name}` }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await expect(toast(page, 'Passkey removed')).toBeVisible()
    expect((await security(page)).passkeys).toEqual([])
  })

  test('are not made where the device says no', async ({ page }) => {
    await openSecurity(page)
    const session = await page.context().newCDPSession(page)
    await session.send('WebAuthn.enable')
    await session.send('WebAuthn.addVirtualAuthenticator', {
      options: { protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: false },
    })
    await page.getByRole('button', { name: 'Add a Passkey' }).click()
    await expect(toast(page, 'No passkey was created')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Add a Passkey' })).toBeEnabled()
    expect((await security(page)).passkeys).toEqual([])
  })
})

test.describe('devices and activity', () => {
  async function another(browser: Browser, email: string, password: string) {
    const page = await (await browser.newContext()).newPage()
    await signIn(page, email, password)
    return page
  }

  test('other devices are listed and signed out, one and all', async ({ page, browser }) => {
    const [email, password] = [`devices.${randomUUID()}@example.com`, 'correct horse']
    await signIn(page, email, password)
    await openSecurity(page)
    const second = await another(browser, email, password)
    const third = await another(browser, email, password)
    await page.getByRole('link', { name: 'Manage Devices' }).click()
    await expect(page).toHaveURL('/security-privacy/devices')
    const list = page.getByRole('main')
    await expect(list.getByText('This device')).toHaveCount(1)
    await expect(list.getByText('This computer')).toHaveCount(3)
    await list
      .getByRole('button', { name: /^Sign Out Chrom/ })
      .first()
      .click()
    await expect(list.getByRole('button', { name: /^Sign Out Chrom/ })).toHaveCount(1)
    expect(await devices(page)).toHaveLength(2)
    await list.getByRole('button', { name: 'Sign Out All Other Devices' }).click()
    await expect(list.getByRole('button', { name: 'Sign Out All Other Devices' })).toHaveCount(0)
    expect((await devices(page)).map(({ current }) => current)).toEqual([true])
    for (const other of [second, third]) {
      expect((await other.request.get('/api/v1/me')).status()).toBe(401)
      await other.context().close()
    }
    await page.getByRole('link', { name: 'Back' }).click()

    await page.getByRole('link', { name: 'Security Activity' }).click()
    await expect(page).toHaveURL('/security-privacy/activity')
    const today = list.getByRole('region', { name: 'Today' })
    await expect(today.getByRole('listitem').first()).toContainText('Other devices signed out')
    await expect(today.getByRole('listitem').nth(1)).toContainText('Device signed out')
    const { events } = await ask<{ events: SecurityEvent[] }>(page, '/security-events')
    await expect(today.getByRole('listitem')).toHaveCount(events.length)
  })

  test('activity goes on for as long as there is more', async ({ page, baseURL }) => {
    await openSecurity(page)
    for (let times = 1; times <= 31; times += 1) {
      const data = { address: `${times} Alder Lane` }
      const changed = await page.request.patch('/api/v1/profile', { data, headers: { origin: baseURL ?? '' } })
      expect(changed.status()).toBe(200)
    }
    await page.getByRole('link', { name: 'Security Activity' }).click()
    const rows = page.getByRole('main').getByRole('listitem')
    await expect(rows).toHaveCount(20)
    await page.getByRole('button', { name: 'Show More' }).click()
    await expect(page.getByRole('button', { name: 'Show More' })).toHaveCount(0)
    await expect(rows).toHaveCount(31)
  })
})

test.describe('a customer’s data', () => {
  test('is theirs to download', async ({ page }) => {
    const customer = await openSecurity(page)
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download My Data' }).click()
    const file = await saved
    expect(file.suggestedFilename()).toBe('alder-data.json')
    const data = readFileSync(await file.path(), 'utf8')
    expect(JSON.parse(data)).toBeTruthy()
    expect(data).toContain(customer.email)
    await expect(toast(page, 'Your data has been downloaded')).toBeVisible()
  })

  test('an account with something left in it is not closed', async ({ page }) => {
    const customer = await openSecurity(page)
    await page.getByRole('button', { name: 'Close My Account' }).click()
    const sheet = page.getByRole('dialog')
    await sheet.getByRole('button', { name: 'Keep My Account' }).click()
    await expect(sheet).toHaveCount(0)
    await page.getByRole('button', { name: 'Close My Account' }).click()
    await sheet.getByRole('button', { name: 'Close My Account' }).click()
    await expect(sheet.getByRole('alert')).toContainText('Please sell your investments before you close your account')
    expect((await ask<Me>(page, '/me')).customer).toEqual(customer)
    await sheet.getByRole('link', { name: 'Invest' }).click()
    await expect(page).toHaveURL('/invest')
  })
})

test.describe('is without violations, light and dark', () => {
  // A password to come back with, without which devices are not listed.
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
    await expect(toast(page, 'Please fill in all fields')).toBeVisible()
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
