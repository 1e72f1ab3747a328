import { randomUUID } from 'node:crypto'
import { expect, type Page, type Response, test } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import type { Me, PasskeyOptions, TwoFactorSetup } from '#contract/identity.ts'
import { expectAccessible, type Screen, walk } from './accessibility.ts'
import { appStands, arrive, ask, available, goTo, newest, signIn, signOut, toast, visit } from './bank.ts'

type Person = { name: string; email: string; phone: string; password: string }

/** What leads on does so a moment after it has said why. */
const LED_ON = { timeout: 15_000 }

// Journeys, each of several screens.
test.describe.configure({ timeout: 120_000 })

/** A person who is not a customer yet. */
function newcomer(changes: Partial<Person> = {}): Person {
  const number = String(Math.floor(Math.random() * 1_000_000)).padStart(6, '0')
  return {
    name: 'Ann Lee',
    email: `ann.${randomUUID()}@example.com`,
    phone: `07700 ${number}`,
    password: 'copper kettle',
    ...changes,
  }
}

const goOn = (page: Page) => page.getByRole('button', { name: 'Continue' }).click()
const create = (page: Page) => page.getByRole('button', { name: 'Create Account' }).click()
const back = (page: Page) => page.getByRole('button', { name: 'Back' }).or(page.getByRole('link', { name: 'Back' }))
const step = (page: Page, number: number) =>
  expect(page.getByRole('progressbar', { name: 'Sign-up' })).toHaveAttribute('aria-valuetext', `Step ${number} of 3`)
const password = (page: Page) => page.getByLabel('Password', { exact: true })
const confirmation = (page: Page) => page.getByLabel('Confirm Password')
const meter = (page: Page) => page.getByText('Password strength:').locator('..')
const signInButton = (page: Page) => page.getByRole('button', { name: 'Sign In', exact: true })

async function fillName(page: Page, { name, email }: Person): Promise<void> {
  await page.getByLabel('Full Name').fill(name)
  await page.getByLabel('Email').fill(email)
  await goOn(page)
  await step(page, 2)
}

async function fillPassword(page: Page, { phone, password: chosen }: Person): Promise<void> {
  await page.getByLabel('Phone').fill(phone)
  await password(page).fill(chosen)
  await confirmation(page).fill(chosen)
  await goOn(page)
  await step(page, 3)
}

/** Goes through all of sign-up, up to the screen that it leads to. */
async function signUp(page: Page, person: Person): Promise<void> {
  await page.goto('/signup')
  await fillName(page, person)
  await fillPassword(page, person)
  await create(page)
  await expect(toast(page, 'Account created! Proceeding to KYC verification...')).toBeVisible()
  await expect(page).toHaveURL('/kyc', LED_ON)
}

async function fillSignIn(page: Page, email: string, typed: string): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await password(page).fill(typed)
  await signInButton(page).click()
}

/** A customer with a password, signed in on the lightest of the bank's pages. */
async function openAnn(page: Page): Promise<Person> {
  const ann = newcomer()
  await signIn(page, ann.email, ann.password)
  await page.goto('/')
  return ann
}

/** Ends the session, and opens the sign-in page. */
async function openSignIn(page: Page): Promise<void> {
  await signOut(page)
  await page.goto('/login')
}

async function logOut(page: Page): Promise<void> {
  await page.goto('/settings')
  await page.getByRole('button', { name: 'Log Out' }).click()
  await expect(page).toHaveURL('/login', LED_ON)
}

const me = async (page: Page) => (await ask<Me>(page, '/me')).customer

/** When an answer was whole, in milliseconds: what a screen does later is counted from there. */
async function endOf(answer: Response): Promise<number> {
  await answer.finished()
  const { startTime, responseEnd } = answer.request().timing()
  return startTime + responseEnd
}

/** Expects the page to come to `path` no sooner than `afterMs` from the bank's answer to `asked`. */
async function expectDelay(page: Page, asked: string, path: string, afterMs: number, act: () => Promise<void>) {
  const answered = page.waitForResponse(
    (answer) => answer.url().endsWith(asked) && answer.request().method() === 'POST',
  )
  await act()
  const from = await endOf(await answered)
  await page.waitForURL(path)
  // How much later than that is the machine's affair.
  expect(Date.now() - from).toBeGreaterThanOrEqual(afterMs - 50)
}

/** Asks the bank as its own page does. */
function post<T>(page: Page, path: string, body?: unknown): Promise<T> {
  return page.evaluate(
    async ([address, text]) => {
      const headers = { 'content-type': 'application/json' }
      const answer = await fetch(`/api/v1${address}`, { method: 'POST', headers, ...(text ? { body: text } : {}) })
      if (!answer.ok) throw new Error(`${address}: ${answer.status} ${await answer.text()}`)
      return (await answer.json()) as T
    },
    [path, body === undefined ? '' : JSON.stringify(body)] as const,
  )
}

/** What an authenticator app shows now, or some steps of 30 seconds later: the bank takes each code once. */
function codeOf(secret: string, steps = 0): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 })
}

/** Switches two-factor authentication on for who is signed in; the code of this moment is used up by it. */
async function switchTwoFactorOn(page: Page): Promise<{ secret: string; recoveryCodes: string[] }> {
  const { oneTimeToken, secret } = await post<TwoFactorSetup>(page, '/two-factor/setup')
  const { recoveryCodes } = await post<{ recoveryCodes: string[] }>(page, '/two-factor', {
    oneTimeToken,
    code: codeOf(secret, -1),
  })
  return { secret, recoveryCodes }
}

/** A device with a fingerprint reader, which says that it was its owner. Answers the way to have them refuse. */
async function giveFingerprintReader(page: Page): Promise<(isOwner: boolean) => Promise<void>> {
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
  return async (isOwner) => {
    await device.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: isOwner })
  }
}

test.describe('sign-up', () => {
  test('asks in three steps, says what is missing, and leads to verification', async ({ page }) => {
    const ann = newcomer()
    await page.goto('/signup')
    await step(page, 1)
    await goOn(page)
    await expect(toast(page, 'Please fill in all fields')).toBeVisible()
    await step(page, 1)
    await page.getByLabel('Full Name').fill('   ')
    await page.getByLabel('Email').fill(ann.email)
    await goOn(page)
    await expect(page.getByLabel('Full Name')).toHaveAccessibleDescription('Enter your full name')
    await page.getByLabel('Full Name').fill(`  ${ann.name} `)
    await expect(page.getByLabel('Full Name')).toHaveAccessibleDescription('')
    await page.getByLabel('Email').fill('not-an-email')
    await goOn(page)
    await expect(toast(page, 'Please enter a valid email address')).toBeVisible()
    await expect(page.getByLabel('Email')).toHaveAccessibleDescription('Please enter a valid email address')
    await expect(page.getByLabel('Email')).toBeFocused()
    // What is wrong stays until it is mended, or is there no more.
    await page.getByLabel('Email').fill('still-not-one')
    await expect(page.getByLabel('Email')).toHaveAccessibleDescription('Please enter a valid email address')
    await page.getByLabel('Email').fill('')
    await expect(page.getByLabel('Email')).toHaveAccessibleDescription('')
    await page.getByLabel('Email').fill(ann.email)
    await goOn(page)
    await step(page, 2)
    // Sooner than it would go by itself.
    await expect(toast(page, 'Please enter a valid email address')).toHaveCount(0, { timeout: 2_500 })

    await goOn(page)
    await expect(toast(page, 'Please fill in all fields')).toBeVisible()
    await page.getByLabel('Phone').fill('12')
    await password(page).fill(ann.password)
    await confirmation(page).fill('copper kettles')
    await goOn(page)
    await expect(toast(page, "Passwords don't match")).toBeVisible()
    await expect(confirmation(page)).toHaveAccessibleDescription("Passwords don't match")
    await expect(confirmation(page)).toBeFocused()
    await step(page, 2)
    await confirmation(page).fill(ann.password)
    await goOn(page)
    await expect(toast(page, 'Please enter a valid phone number')).toBeVisible()
    await expect(page.getByLabel('Phone')).toBeFocused()
    // Nothing is held against a step that is left and come back to.
    await back(page).click()
    await goOn(page)
    await expect(page.getByLabel('Phone')).toHaveAccessibleDescription('')
    await page.getByLabel('Phone').fill(ann.phone)
    await goOn(page)
    await step(page, 3)

    const review = page.getByRole('main')
    for (const text of [ann.name, ann.email, ann.phone]) await expect(review).toContainText(text)
    await expect(review).not.toContainText(ann.password)
    await expectDelay(page, '/customers', '/kyc', 1500, async () => {
      await create(page)
      await expect(toast(page, 'Account created! Proceeding to KYC verification...')).toBeVisible()
    })
    expect(await me(page)).toMatchObject({ fullName: ann.name, email: ann.email, initials: 'AL' })
  })

  test('goes back step by step, by our button and by the browser’s, and on again', async ({ page }) => {
    const ann = newcomer()
    await page.goto('/')
    await page.goto('/signup')
    await fillName(page, ann)
    await fillPassword(page, ann)
    await back(page).click()
    await step(page, 2)
    await expect(page.getByLabel('Phone')).toHaveValue(ann.phone)
    await page.goBack()
    await step(page, 1)
    await expect(page.getByLabel('Full Name')).toHaveValue(ann.name)
    await page.goForward()
    await step(page, 2)
    await expect(password(page)).toHaveValue(ann.password)
    await goOn(page)
    await page.getByRole('button', { name: 'Edit Email' }).click()
    await step(page, 1)
    await expect(page.getByLabel('Email')).toHaveValue(ann.email)
    await back(page).click()
    await expect(page).toHaveURL('/')
  })

  test('says that the account is created while an error before that is still on its way out', async ({ page }) => {
    const ann = newcomer()
    await page.goto('/signup')
    await fillName(page, ann)
    await page.getByLabel('Phone').fill(ann.phone)
    await password(page).fill(ann.password)
    await goOn(page)
    await expect(toast(page, 'Please fill in all fields')).toBeVisible()
    await confirmation(page).fill(ann.password)
    // Faster than fingers are: the step after next is asked for as soon as its button is there.
    await page.evaluate(() => {
      const button = (name: string) => [...document.querySelectorAll('button')].find((one) => one.textContent === name)
      const pressLast = () => {
        const last = button('Create Account')
        if (last) last.click()
        else requestAnimationFrame(pressLast)
      }
      button('Continue')?.click()
      pressLast()
    })
    await expect(toast(page, 'Account created! Proceeding to KYC verification...')).toBeVisible()
  })

  test('keeps what was typed over a reload, but no password', async ({ page }) => {
    const ann = newcomer()
    await page.goto('/signup')
    await fillName(page, ann)
    await fillPassword(page, ann)
    await page.reload()
    await step(page, 2)
    await expect(page.getByLabel('Phone')).toHaveValue(ann.phone)
    await expect(password(page)).toHaveValue('')
    await expect(confirmation(page)).toHaveValue('')
    const kept = await page.evaluate(() =>
      JSON.stringify([Object.values(sessionStorage), Object.values(localStorage), history.state]),
    )
    expect(kept).toContain(ann.email)
    expect(kept).not.toContain(ann.password)

    await fillPassword(page, ann)
    await back(page).click()
    await step(page, 2)
    await fillPassword(page, ann)
    await create(page)
    await expect(page).toHaveURL('/kyc', LED_ON)
    const left = await page.evaluate(() => JSON.stringify(Object.values(sessionStorage)))
    expect(left).not.toContain(ann.email)
  })

  for (const [what, changes, message, at] of [
    ['an email', { email: 'ann@example.1' }, 'Please enter a valid email address', { step: 1, label: 'Email' }],
    ['a phone number', { phone: '12' }, 'Please enter a valid phone number', { step: 2, label: 'Phone' }],
  ] as const) {
    test(`goes back to the step of ${what} that the bank refuses`, async ({ page }) => {
      // Without what knows numbers, the bank alone decides about them.
      await page.route(/phone-text/, (route) => route.abort())
      await page.goto('/signup')
      const ann = newcomer(changes)
      await fillName(page, ann)
      await fillPassword(page, ann)
      await create(page)
      await expect(toast(page, message)).toBeVisible()
      await step(page, at.step)
      const field = page.getByLabel(at.label)
      await expect(field).toBeFocused()
      await expect(field).toHaveAccessibleDescription(message)
      await field.fill(newcomer()[at.label === 'Email' ? 'email' : 'phone'])
      await goOn(page)
      if (at.step === 1) await goOn(page)
      await create(page)
      await expect(page).toHaveURL('/kyc', LED_ON)
    })
  }

  test('does not reveal that an email is taken', async ({ page, browser }) => {
    const ann = newcomer()
    await signUp(page, ann)
    const context = await browser.newContext()
    const other = await context.newPage()
    await signUp(other, newcomer({ name: 'Not Ann', email: ann.email.toUpperCase() }))
    expect((await me(other)).fullName).toBe('Not Ann')
    expect((await me(page)).fullName).toBe(ann.name)
    await expect(async () => {
      await page.goto('/sample/mail')
      await expect(page.getByText('You already have an account')).toBeVisible({ timeout: 1_000 })
    }).toPass()
    await context.close()
  })

  test('groups a phone number as it is typed, and leaves what is mended alone', async ({ page }) => {
    await page.goto('/signup')
    const loaded = page.waitForResponse(/phone-text/)
    await fillName(page, newcomer())
    await loaded
    const phone = page.getByLabel('Phone')
    await expect(async () => {
      await phone.fill('')
      await phone.pressSequentially('07700900123')
      await expect(phone).toHaveValue('07700 900123', { timeout: 500 })
    }).toPass()
    for (let times = 0; times < 3; times += 1) await phone.press('ArrowLeft')
    await phone.press('Backspace')
    await expect(phone).toHaveValue('07700 90123')
    expect(await phone.evaluate((field: HTMLInputElement) => field.selectionStart)).toBe(8)
  })

  test('says in a word how good a password is, and shows it on demand', async ({ page }) => {
    await page.goto('/signup')
    await fillName(page, newcomer())
    for (const [typed, word] of [
      ['password', 'Weak'],
      ['summer rain', 'Fair'],
      ['copper kettle', 'Good'],
      ['four quiet copper kettles', 'Strong'],
      ['Ann Lee', 'Weak'],
    ] as const) {
      await password(page).fill(typed)
      await expect(meter(page)).toHaveText(`Password strength: ${word}`)
    }
    await expect(password(page)).toHaveAttribute('type', 'password')
    await page.getByRole('button', { name: 'Show Characters' }).first().click()
    await expect(password(page)).toHaveAttribute('type', 'text')
    await expect(confirmation(page)).toHaveAttribute('type', 'password')
  })

  test('can be gone through by keyboard alone', async ({ page }) => {
    const ann = newcomer()
    await page.goto('/signup')
    await appStands(page)
    await page.getByLabel('Full Name').focus()
    await page.keyboard.type(ann.name)
    await page.keyboard.press('Tab')
    await page.keyboard.type(ann.email)
    await page.keyboard.press('Enter')
    await step(page, 2)
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
    await page.keyboard.press('Tab')
    await expect(page.getByLabel('Phone')).toBeFocused()
    await page.keyboard.type(ann.phone)
    await page.keyboard.press('Tab')
    await page.keyboard.type(ann.password)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.type(ann.password)
    await page.keyboard.press('Enter')
    await step(page, 3)
    await page.getByRole('button', { name: 'Create Account' }).focus()
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/kyc', LED_ON)
  })
})

test.describe('sign-in', () => {
  test('asks for both fields, refuses a wrong password, and lets the right one in', async ({ page }) => {
    const ann = await openAnn(page)
    await logOut(page)
    await signInButton(page).click()
    await expect(toast(page, 'Please fill in all fields')).toBeVisible()
    await expect(page.getByLabel('Email')).toBeFocused()
    await fillSignIn(page, ann.email, 'wrong')
    await expect(toast(page, "That email or password isn't right")).toBeVisible()
    await expect(password(page)).toBeFocused()
    await expect(page.getByLabel('Email')).toHaveValue(ann.email)
    await expectDelay(page, '/session', '/dashboard', 1000, async () => {
      await fillSignIn(page, `  ${ann.email.toUpperCase()}`, ann.password)
      await expect(toast(page, 'Login successful!')).toBeVisible()
    })
    expect((await me(page)).email).toBe(ann.email)
  })

  test('by biometrics says so and leads to the dashboard', async ({ page }) => {
    await page.goto('/login')
    await expectDelay(page, '/session/biometric', '/dashboard', 1000, async () => {
      await page.getByRole('button', { name: 'Use Biometric' }).click()
      await expect(toast(page, 'Biometric authentication successful!')).toBeVisible()
      // The button that was pressed says so, and no other does.
      await expect(page.getByRole('button', { name: 'Use Biometric' })).toHaveCSS('opacity', '1')
      await expect(page.getByRole('button', { name: 'Use Biometric' }).locator('.lucide-fingerprint')).toHaveCount(0)
      await expect(signInButton(page).locator('svg')).toHaveCount(0)
    })
    await expect(page.getByRole('region', { name: 'Balance' })).toContainText('$12,458.50')
  })

  test('after five wrong passwords says that it is enough', async ({ page }) => {
    const ann = await openAnn(page)
    await openSignIn(page)
    for (let times = 0; times < 5; times += 1) {
      const answered = page.waitForResponse('**/api/v1/session')
      await fillSignIn(page, ann.email, `wrong ${times}`)
      await answered
      await expect(signInButton(page)).toBeEnabled()
    }
    await fillSignIn(page, ann.email, ann.password)
    await expect(toast(page, 'Too many attempts. Try again in 15 minutes')).toBeVisible()
    await expect(page).toHaveURL('/login')
  })

  test('leads back to where it was asked for, and never to another site', async ({ page, baseURL }) => {
    await page.goto('/login?next=%2Ftransactions%3Fcategory%3Dfood')
    await page.getByRole('button', { name: 'Use Biometric' }).click()
    await expect(page).toHaveURL('/transactions?category=food', LED_ON)
    for (const next of [
      '//elsewhere.example',
      'https://elsewhere.example/',
      String.raw`/\elsewhere.example`,
      '/.//elsewhere.example',
    ]) {
      await page.goto(`/login?next=${encodeURIComponent(next)}`)
      await page.getByRole('button', { name: 'Use Biometric' }).click()
      await expect(page, next).toHaveURL(`${baseURL}/dashboard`, LED_ON)
    }
  })

  test('forgotten: the mailbox has a link, the new password works and the old one does not', async ({ page }) => {
    const ann = await openAnn(page)
    await openSignIn(page)
    await page.getByLabel('Email').fill(ann.email)
    await page.getByRole('button', { name: 'Forgot Password?' }).click()
    const sheet = page.getByRole('dialog')
    await expect(sheet.getByLabel('Your Email')).toHaveValue(ann.email)
    await expect(sheet.getByLabel('Your Email')).toBeFocused()
    await sheet.getByRole('button', { name: 'Send Link' }).click()
    await expect(sheet).toContainText('If this address has an Alder account, a link is on its way.')
    await sheet.getByRole('link', { name: 'Open Mailbox' }).click()
    await page.getByText('Choose a new password').first().click()
    await page.getByRole('button', { name: 'Show Text Only' }).click()
    // The list is asked for again every two seconds, and a click may fall in between.
    await page.goto((await page.getByRole('link', { name: /reset-password/ }).getAttribute('href')) ?? '')
    await expect(page.getByRole('heading', { name: 'Choose a new password' })).toBeVisible()
    await expect(page).toHaveURL('/reset-password')
    await page.reload()

    await page.getByRole('button', { name: 'Save Password' }).click()
    await expect(toast(page, 'Please fill in all fields')).toBeVisible()
    await password(page).fill('green heron')
    await confirmation(page).fill('grey heron')
    await page.getByRole('button', { name: 'Save Password' }).click()
    await expect(toast(page, "Passwords don't match")).toBeVisible()
    await confirmation(page).fill('green heron')
    await page.getByRole('button', { name: 'Save Password' }).click()
    await expect(toast(page, 'Password changed. Please sign in with your new password')).toBeVisible()
    await expect(page).toHaveURL('/login', LED_ON)

    await fillSignIn(page, ann.email, ann.password)
    await expect(toast(page, "That email or password isn't right")).toBeVisible()
    await fillSignIn(page, ann.email, 'green heron')
    await expect(page).toHaveURL('/dashboard', LED_ON)
    expect((await me(page)).email).toBe(ann.email)
  })

  test('forgotten: answers the same for an unknown address, and refuses what is no address', async ({ page }) => {
    await page.goto('/login')
    await page.getByRole('button', { name: 'Forgot Password?' }).click()
    const sheet = page.getByRole('dialog')
    await sheet.getByRole('button', { name: 'Send Link' }).click()
    await expect(sheet.getByLabel('Your Email')).toHaveAccessibleDescription('Enter your email')
    await sheet.getByLabel('Your Email').fill('nobody')
    await sheet.getByRole('button', { name: 'Send Link' }).click()
    await expect(sheet.getByLabel('Your Email')).toHaveAccessibleDescription('Please enter a valid email address')
    await sheet.getByLabel('Your Email').fill(newcomer().email)
    await sheet.getByRole('button', { name: 'Send Link' }).click()
    await expect(sheet).toContainText('If this address has an Alder account, a link is on its way.')
    await sheet.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'Forgot Password?' }).click()
    await expect(sheet.getByLabel('Your Email')).toBeVisible()
  })

  test('asks for the second factor, pasted or typed, or a recovery code', async ({ page }) => {
    const ann = await openAnn(page)
    const { secret, recoveryCodes } = await switchTwoFactorOn(page)
    await openSignIn(page)
    await fillSignIn(page, ann.email, ann.password)
    const code = page.getByLabel('Six-Digit Code')
    await expect(code).toBeFocused()
    await expect(page.getByText('Login successful!')).toHaveCount(0)
    await signInButton(page).click()
    await expect(code).toHaveAccessibleDescription('Enter all six digits')
    await code.fill('000000')
    await expect(toast(page, "That code isn't right")).toBeVisible()
    await expect(code).toHaveValue('')
    await expect(code).toBeFocused()
    const good = codeOf(secret)
    await code.pressSequentially(`${good.slice(0, 3)} ${good.slice(3)}`)
    await expect(toast(page, 'Login successful!')).toBeVisible()
    await expect(page).toHaveURL('/dashboard', LED_ON)

    await openSignIn(page)
    await fillSignIn(page, ann.email, ann.password)
    await expect(code).toBeVisible()
    await back(page).click()
    await expect(page.getByLabel('Email')).toHaveValue(ann.email)
    await fillSignIn(page, ann.email, ann.password)
    await page.getByRole('button', { name: 'Use a Recovery Code' }).click()
    await expect(page.getByLabel('Recovery Code')).toBeFocused()
    await page.getByLabel('Recovery Code').fill(recoveryCodes[0]?.toLowerCase() ?? '')
    await signInButton(page).click()
    await expect(page).toHaveURL('/dashboard', LED_ON)
    expect((await me(page)).email).toBe(ann.email)
  })
})

test.describe('passkeys', () => {
  test('sign in by the button, and say so where none was used', async ({ page }) => {
    // The device of a test chooses by itself what a browser offers to fill in.
    await page.addInitScript(() => {
      PublicKeyCredential.isConditionalMediationAvailable = async () => false
    })
    const ann = await openAnn(page)
    const setOwner = await giveFingerprintReader(page)
    await addPasskey(page)
    await openSignIn(page)
    await setOwner(false)
    await page.getByRole('button', { name: 'Use Biometric' }).click()
    await expect(toast(page, 'No passkey was used.')).toBeVisible()
    await expect(page).toHaveURL('/login')
    await setOwner(true)
    await page.getByRole('button', { name: 'Use Biometric' }).click()
    await expect(toast(page, 'Biometric authentication successful!')).toBeVisible()
    await expect(page).toHaveURL('/dashboard', LED_ON)
    expect((await me(page)).email).toBe(ann.email)
  })

  test('sign in from what the browser fills in', async ({ page }) => {
    const ann = await openAnn(page)
    await giveFingerprintReader(page)
    await addPasskey(page)
    await openSignIn(page)
    await expect(toast(page, 'Biometric authentication successful!')).toBeVisible()
    await expect(page).toHaveURL('/dashboard', LED_ON)
    expect((await me(page)).email).toBe(ann.email)
  })

  test('show once more who one is', async ({ page }) => {
    await openAnn(page)
    const setOwner = await giveFingerprintReader(page)
    await addPasskey(page)
    await switchTwoFactorOn(page)
    await page.goto('/transfer')
    await page.getByLabel('Amount').fill('25')
    await page.getByLabel('Recipient').fill('sarah.johnson@example.com')
    await page.getByRole('button', { name: 'Send Money' }).click()
    const sheet = page.getByRole('dialog', { name: "Confirm it's you" })
    await setOwner(false)
    await sheet.getByRole('button', { name: 'Use Passkey' }).click()
    await expect(sheet.getByRole('alert')).toHaveText(/No passkey was used/)
    await sheet.getByRole('button', { name: 'Use Your Authenticator App Instead' }).click()
    await expect(sheet.getByLabel('Six-Digit Code')).toBeFocused()
    await sheet.getByRole('button', { name: 'Use a Passkey Instead' }).click()
    await setOwner(true)
    await sheet.getByRole('button', { name: 'Use Passkey' }).click()
    await expect(toast(page, '$25.00 sent successfully to sarah.johnson@example.com')).toBeVisible()
  })
})

/** Makes a passkey on the page's device, as the security screen does. */
async function addPasskey(page: Page): Promise<void> {
  const { oneTimeToken, options } = await post<PasskeyOptions>(page, '/passkeys/options')
  const response = await page.evaluate(async (json) => {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(json as never)
    return ((await navigator.credentials.create({ publicKey })) as PublicKeyCredential).toJSON()
  }, options)
  await post(page, '/passkeys', { oneTimeToken, response })
  await page.evaluate(() => localStorage.setItem('alder.passkey', 'made'))
}

test.describe('showing once more who one is', () => {
  async function prepare(page: Page): Promise<{ secret: string; payee: string }> {
    await openAnn(page)
    const { secret } = await switchTwoFactorOn(page)
    await page.goto('/transfer')
    await page.getByLabel('Amount').fill('25')
    await page.getByRole('button', { name: 'Sarah Johnson' }).click()
    return { secret, payee: 'sarah.johnson@example.com' }
  }
  const send = (page: Page) => page.getByRole('button', { name: 'Send Money' }).click()

  test('names amount and payee, and sends the payment once', async ({ page }) => {
    const { secret, payee } = await prepare(page)
    const before = await available(page)
    const keys: (string | undefined)[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/api/v1/transfers')) keys.push(request.headers()['idempotency-key'])
    })
    await send(page)
    const sheet = page.getByRole('dialog', { name: "Confirm it's you" })
    await expect(sheet).toContainText('$25.00')
    await expect(sheet).toContainText(payee)
    const code = sheet.getByLabel('Six-Digit Code')
    await expect(code).toBeFocused()
    await code.fill('000000')
    await expect(code).toHaveAccessibleDescription("We couldn't confirm it's you")
    expect(await available(page)).toBe(before)
    await code.fill(codeOf(secret))
    await expect(toast(page, `$25.00 sent successfully to ${payee}`)).toBeVisible()
    await expect(sheet).toHaveCount(0)
    await expect(page).toHaveURL('/dashboard', LED_ON)
    expect(await available(page)).toBe(before - 2500)
    expect(keys).toHaveLength(2)
    expect(keys[0]).toBe(keys[1])
    expect((await newest(page, 2)).filter(({ amountMinor }) => amountMinor === -2500)).toHaveLength(1)
  })

  test('thought better of: nothing is sent, and nothing is said', async ({ page }) => {
    await prepare(page)
    const before = await available(page)
    await send(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'Send Money' })).toBeEnabled()
    await expect(page.getByRole('button', { name: 'Send Money' })).toBeFocused()
    await expect(page.locator('[data-sonner-toast]')).toHaveCount(0)
    expect(await available(page)).toBe(before)
    await send(page)
    await expect(page.getByRole('dialog')).toContainText('$25.00')
  })
})

test.describe('the next customer on the same device', () => {
  test('finds nothing of who was here before, not even by going back', async ({ page }) => {
    await arrive(page)
    const before = await me(page)
    await page.getByRole('link', { name: 'See All' }).click()
    await page
      .getByRole('link', { name: /Copper Kettle/ })
      .first()
      .click()
    await expect(page.getByText('Transaction ID')).toBeVisible()
    await logOut(page)
    const ben = newcomer({ name: 'Ben Ode' })
    await fillSignIn(page, ben.email, ben.password)
    await expect(page).toHaveURL('/dashboard', LED_ON)
    expect((await me(page)).email).toBe(ben.email)
    await expect(page.getByRole('main')).not.toContainText(before.fullName)
    for (;;) {
      await page.goBack()
      if (new URL(page.url()).pathname === '/transaction-detail') break
    }
    await expect(page.getByText('Transaction not found')).toBeVisible()
  })

  test('signing out in one tab signs out in all', async ({ page }) => {
    await visit(page)
    const other = await page.context().newPage()
    await other.goto('/transactions')
    await expect(other.getByText('All Transactions')).toBeVisible()
    await logOut(page)
    await expect(other).toHaveURL('/login')
  })

  test('signing in as somebody else in one tab shows them in all', async ({ page }) => {
    const first = await visit(page)
    const other = await page.context().newPage()
    await other.goto('/settings')
    await expect(other.getByText(first.email)).toBeVisible()
    await page.goto('/login')
    const ben = newcomer({ email: `ben.${randomUUID()}@example.com` })
    await fillSignIn(page, ben.email, ben.password)
    await expect(other).toHaveURL('/dashboard')
    await other.goto('/settings')
    await expect(other.getByText(ben.email)).toBeVisible()
  })
})

test('the public pages open no sample customer', async ({ page }) => {
  const visits: string[] = []
  page.on('request', (request) => {
    if (
      /\/(session\/visit|me|dashboard|events)$/.test(new URL(request.url()).pathname) &&
      request.url().includes('/api/')
    )
      visits.push(request.url())
  })
  for (const path of ['/', '/signup', '/login', '/reset-password?token=a', '/confirm-email?token=a']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await page.waitForLoadState('networkidle')
  }
  expect(visits).toEqual([])
  expect((await page.request.get('/api/v1/me')).status()).toBe(401)
})

test.describe('links that were mailed', () => {
  test('that are no good say so, and the token leaves the address', async ({ page }) => {
    await page.goto('/reset-password?token=none')
    await expect(page).toHaveURL('/reset-password')
    await password(page).fill('green heron')
    await confirmation(page).fill('green heron')
    await page.getByRole('button', { name: 'Save Password' }).click()
    await expect(page.getByRole('heading', { name: 'This link has expired or was already used' })).toBeVisible()
    await expect(page.locator('[data-sonner-toast]')).toHaveCount(0)
    await page.getByRole('link', { name: 'Request a New Link' }).click()
    await expect(page.getByRole('dialog').getByLabel('Your Email')).toBeVisible()

    await page.goto('/confirm-email?token=none')
    await expect(page).toHaveURL('/confirm-email')
    await page.getByRole('button', { name: 'Confirm Email' }).click()
    await expect(page.getByRole('heading', { name: 'This link has expired or was already used' })).toBeVisible()
    for (const path of ['/reset-password', '/confirm-email']) {
      await page.goto(path)
      await expect(page.getByRole('heading', { name: 'This link has expired or was already used' })).toBeVisible()
    }
  })

  test('confirm an email only when that is said, with the password where nobody is signed in', async ({ page }) => {
    const asked: unknown[] = []
    await page.route('**/api/v1/email-confirmations', async (route) => {
      const body = route.request().postDataJSON() as { password?: string }
      asked.push(body)
      const error = (code: string, field?: string) => ({ error: { code, message: '', ...(field && { field }) } })
      if (body.password === undefined) return route.fulfill({ status: 400, json: error('fields_missing', 'password') })
      if (body.password !== 'green heron') return route.fulfill({ status: 422, json: error('credentials_wrong') })
      return route.fulfill({ json: { status: 'done' } })
    })
    await page.goto('/confirm-email?token=abc')
    await expect(page.getByRole('heading', { name: 'Is this your email?' })).toBeVisible()
    expect(asked).toEqual([])
    const confirm = page.getByRole('button', { name: 'Confirm Email' })
    await confirm.click()
    await expect(password(page)).toBeFocused()
    await expect(page.locator('[data-sonner-toast]')).toHaveCount(0)
    await password(page).fill('wrong')
    await confirm.click()
    await expect(toast(page, "That email or password isn't right")).toBeVisible()
    await password(page).fill('green heron')
    await confirm.click()
    await expect(toast(page, 'Email confirmed')).toBeVisible()
    await expect(page).toHaveURL('/login', LED_ON)
    expect(asked).toEqual([
      { oneTimeToken: 'abc' },
      { oneTimeToken: 'abc', password: 'wrong' },
      { oneTimeToken: 'abc', password: 'green heron' },
    ])
  })
})

/** Makes a page behave as in a bank that signs customers out after `idleSeconds`. */
async function makeIdle(page: Page, idleSeconds: number): Promise<void> {
  await page.context().route('**/api/v1/me', async (route) => {
    const answer = await route.fetch()
    const body = (await answer.json()) as Me
    await route.fulfill({ response: answer, json: { ...body, idleSeconds } })
  })
}

test.describe('an idle customer', () => {
  // Requests that are still under way when a test ends are not answered.
  test.afterEach(({ page }) => page.context().unrouteAll({ behavior: 'ignoreErrors' }))

  test('is warned, may stay, and is signed out when they do not, in every tab', async ({ page }) => {
    await visit(page)
    await makeIdle(page, 12)
    const other = await page.context().newPage()
    await other.goto('/transactions?category=food')
    await page.goto('/transfer')
    const warning = page.getByRole('dialog', { name: 'Are you still there?' })
    await expect(warning).toBeVisible({ timeout: 15_000 })
    await expect(page.getByRole('button', { name: 'Stay Signed In' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(warning).toHaveCount(0)
    await expect(warning).toBeVisible({ timeout: 15_000 })
    await expect(page).toHaveURL('/login?next=%2Ftransfer', { timeout: 15_000 })
    await expect(page.getByText('We signed you out because you were away for a while.')).toBeVisible()
    await expect(other).toHaveURL('/login?next=%2Ftransactions%3Fcategory%3Dfood')
    expect((await page.request.get('/api/v1/me')).status()).toBe(401)
  })

  test('who is still at work is not disturbed, and the bank hears of them', async ({ page }) => {
    await visit(page)
    await makeIdle(page, 8)
    await page.goto('/transfer')
    await expect(page.getByLabel('Recipient')).toBeVisible()
    const told = page.waitForRequest('**/api/v1/me')
    const until = Date.now() + 10_000
    while (Date.now() < until) await page.getByLabel('Recipient').press('a', { delay: 100 })
    await told
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(page).toHaveURL('/transfer')
  })
})

test.describe('where customers sign in first', () => {
  /** Answers as a live bank does without a session. */
  async function makeLive(page: Page): Promise<void> {
    const refused = { status: 401, json: { error: { code: 'sign_in_required', message: 'Please sign in' } } }
    await page.route('**/api/v1/**', (route) => {
      const { pathname } = new URL(route.request().url())
      if (!pathname.endsWith('/session')) return route.fulfill(refused)
      const session = {
        me: null,
        signInRequired: true,
        biometricWithoutPasskey: false,
        mailboxPage: false,
        passwordMinLength: 12,
        commonPasswordsRefused: true,
      }
      return route.fulfill({ json: session })
    })
  }

  test('a signed-out visitor is led to sign in, and would be led back', async ({ page }) => {
    await makeLive(page)
    await page.goto('/transactions?category=food')
    await expect(page).toHaveURL('/login?next=%2Ftransactions%3Fcategory%3Dfood')
    await page.goto('/claim?token=a-b')
    await expect(page).toHaveURL('/login?next=%2Fclaim%3Ftoken%3Da-b')
  })

  test('a screen is not rendered at all for a visitor who is known to be signed out', async ({ page }) => {
    await makeLive(page)
    await page.goto('/login')
    await page.waitForLoadState('networkidle')
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await page.evaluate(() => {
      history.pushState({ idx: 1, key: 'a', usr: null }, '', '/dashboard')
      history.pushState({ idx: 2, key: 'b', usr: null }, '', '/login')
      history.back()
    })
    await expect(page).toHaveURL('/login?next=%2Fdashboard')
    expect(asked.filter((path) => path.startsWith('/api/v1/dashboard'))).toEqual([])
  })

  test('biometrics are a passkey’s', async ({ page }) => {
    await makeLive(page)
    await page.goto('/login')
    await page.waitForLoadState('networkidle')
    const asked = page.waitForRequest((request) => request.method() === 'POST')
    await page.getByRole('button', { name: 'Use Biometric' }).click()
    expect(new URL((await asked).url()).pathname).toBe('/api/v1/session/passkey/options')
    await expect(page.getByRole('button', { name: 'Use Biometric' })).toBeEnabled()
  })

  test('says how long and how good a password must be, before anything is sent', async ({ page }) => {
    await makeLive(page)
    const ann = newcomer()
    await page.goto('/signup')
    await fillName(page, ann)
    await expect(password(page)).toHaveAccessibleDescription(/At least 12 characters/)
    for (const [typed, message] of [
      ['copper', 'Please choose a password with at least 12 characters'],
      ['password12345', 'This password is too easy to guess. Please choose another'],
      [`${ann.email.split('@')[0]} and more`, 'This password is too easy to guess. Please choose another'],
    ] as const) {
      await page.getByLabel('Phone').fill(ann.phone)
      await password(page).fill(typed)
      await expect(meter(page)).toHaveText(/strength/)
      await confirmation(page).fill(typed)
      await goOn(page)
      await expect(toast(page, message)).toBeVisible()
      await expect(password(page)).toHaveAccessibleDescription(message)
      await expect(password(page)).toBeFocused()
      await step(page, 2)
    }
    await password(page).fill('four quiet copper kettles')
    await confirmation(page).fill('four quiet copper kettles')
    await goOn(page)
    await step(page, 3)
  })
})

const SIGN_UP: Screen[] = [
  ['sign-up', (page) => goTo(page, '/signup')],
  [
    'sign-up, refused',
    async (page) => {
      await goTo(page, '/signup')
      await goOn(page)
      await expect(toast(page, 'Please fill in all fields')).toBeVisible()
    },
  ],
  [
    'sign-up, phone and password',
    async (page) => {
      await goTo(page, '/signup')
      await fillName(page, newcomer())
      await page.getByLabel('Phone').fill(newcomer().phone)
      await password(page).fill('summer rain')
      await expect(meter(page)).toHaveText('Password strength: Fair')
      await confirmation(page).fill('other')
      await goOn(page)
      await expect(toast(page, "Passwords don't match")).toBeVisible()
    },
  ],
  [
    'sign-up, review',
    async (page) => {
      await goTo(page, '/signup')
      await fillName(page, newcomer())
      await fillPassword(page, newcomer())
    },
  ],
]

const SIGN_IN: Screen[] = [
  ['sign-in', (page) => goTo(page, '/login')],
  [
    'sign-in, refused',
    async (page) => {
      await goTo(page, '/login')
      await signInButton(page).click()
      await expect(toast(page, 'Please fill in all fields')).toBeVisible()
    },
  ],
  [
    'forgotten password',
    async (page) => {
      await goTo(page, '/login')
      await page.getByRole('button', { name: 'Forgot Password?' }).click()
      await page.getByRole('button', { name: 'Send Link' }).click()
      await expect(page.getByLabel('Your Email')).toHaveAccessibleDescription('Enter your email')
    },
  ],
  [
    'forgotten password, sent',
    async (page) => {
      await goTo(page, '/login')
      await page.getByRole('button', { name: 'Forgot Password?' }).click()
      await page.getByLabel('Your Email').fill(newcomer().email)
      await page.getByRole('button', { name: 'Send Link' }).click()
      await expect(page.getByRole('link', { name: 'Open Mailbox' })).toBeVisible()
    },
  ],
]

const LINKS: Screen[] = [
  ['new password', (page) => goTo(page, '/reset-password?token=none')],
  ['new password, no link', (page) => goTo(page, '/reset-password')],
  ['confirm email', (page) => goTo(page, '/confirm-email?token=none')],
  ['confirm email, no link', (page) => goTo(page, '/confirm-email')],
]

const SIGNED_IN: Screen[] = [
  [
    'second factor, then proof',
    async (page) => {
      const ann = await openAnn(page)
      const { secret } = await switchTwoFactorOn(page)
      await openSignIn(page)
      await fillSignIn(page, ann.email, ann.password)
      await page.getByLabel('Six-Digit Code').fill('000000')
      await expect(toast(page, "That code isn't right")).toBeVisible()
      await expectAccessible(page)
      await page.getByLabel('Six-Digit Code').fill(codeOf(secret))
      await expect(page).toHaveURL('/dashboard', LED_ON)
      await page.goto('/transfer')
      await page.getByLabel('Amount').fill('25')
      await page.getByLabel('Recipient').fill('sarah.johnson@example.com')
      await page.getByRole('button', { name: 'Send Money' }).click()
      await expect(page.getByRole('dialog').getByLabel('Six-Digit Code')).toBeVisible()
    },
  ],
  [
    'about to be signed out',
    async (page) => {
      await visit(page)
      await makeIdle(page, 20)
      await page.goto('/transactions')
      await expect(page.getByRole('dialog', { name: 'Are you still there?' })).toBeVisible({ timeout: 15_000 })
    },
  ],
]

for (const [what, states] of [
  ['of signing up', SIGN_UP],
  ['of signing in', SIGN_IN],
  ['behind a mailed link', LINKS],
  ['for who is signed in', SIGNED_IN],
] as const) {
  test(`every screen ${what} is without violations, light and dark, and fits a narrow phone`, async ({ page }) => {
    await walk(page, states)
  })
}
