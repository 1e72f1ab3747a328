import { randomUUID } from 'node:crypto'
import { expect, type Page, test } from '@playwright/test'
import type { Me, PasskeyOptions, TwoFactorSetup } from '#contract/identity.ts'
import { expectAccessible, type ScreenState, checkScreens } from './accessibility.ts'
import {
  visitDashboard,
  readFromBank,
  authenticatorCode,
  expectDelay,
  goTo,
  signIn,
  signOut,
  findToast,
  visit,
} from './bank.ts'

type Person = { name: string; email: string; phone: string; password: string }

/** The time limit for screens that open the next one a moment after they have shown a message. */
const LED_ON = { timeout: 45_000 }

// Each journey has several screens.
test.describe.configure({ timeout: 120_000 })

/** Returns a person who is not a customer yet. */
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

const pressContinue = (page: Page) => page.getByRole('button', { name: 'Continue' }).click()
const create = (page: Page) => page.getByRole('button', { name: 'Create Account' }).click()
const step = (page: Page, number: number) =>
  expect(page.getByRole('progressbar', { name: 'Sign-up' })).toHaveAttribute('aria-valuetext', `Step ${number} of 3`)
const password = (page: Page) => page.getByLabel('Password', { exact: true })
const confirmation = (page: Page) => page.getByLabel('Confirm Password')
const meter = (page: Page) => page.getByText('Password strength:').locator('..')
const signInButton = (page: Page) => page.getByRole('button', { name: 'Sign In', exact: true })

async function fillName(page: Page, { name, email }: Person): Promise<void> {
  await page.getByLabel('Full Name').fill(name)
  await page.getByLabel('Email').fill(email)
  await pressContinue(page)
  await step(page, 2)
}

async function fillPassword(page: Page, { phone, password: chosen }: Person): Promise<void> {
  await page.getByLabel('Phone').fill(phone)
  await password(page).fill(chosen)
  await confirmation(page).fill(chosen)
  await pressContinue(page)
  await step(page, 3)
}

async function fillSignIn(page: Page, email: string, typed: string): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await password(page).fill(typed)
  await signInButton(page).click()
}

/** Opens a customer with a password, signed in on the smallest of the bank's pages. */
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

const me = async (page: Page) => (await readFromBank<Me>(page, '/me')).customer

/** Posts to the bank as its own page does. */
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

/** Switches two-factor authentication on for the current customer. This uses up the current code. */
async function switchTwoFactorOn(page: Page): Promise<{ secret: string }> {
  const { oneTimeToken, secret } = await post<TwoFactorSetup>(page, '/two-factor/setup')
  await post(page, '/two-factor', {
    oneTimeToken,
    code: authenticatorCode(secret),
  })
  return { secret }
}

/** Adds a virtual fingerprint reader that always confirms its owner. */
async function giveFingerprintReader(page: Page): Promise<void> {
  const device = await page.context().newCDPSession(page)
  await device.send('WebAuthn.enable')
  await device.send('WebAuthn.addVirtualAuthenticator', {
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

test.describe('sign-up', () => {
  test('has three steps, keeps the input but no password over a reload, and leads to verification', async ({
    page,
  }) => {
    const ann = newcomer()
    await page.goto('/signup')
    await fillName(page, ann)
    await fillPassword(page, ann)
    await page.reload()
    await step(page, 2)
    await expect(page.getByLabel('Phone')).toHaveValue(ann.phone)
    await expect(password(page)).toHaveValue('')
    await expect(confirmation(page)).toHaveValue('')
    await fillPassword(page, ann)
    await expectDelay(page, '/customers', '/kyc', 1500, async () => {
      await create(page)
      await expect(findToast(page, 'Account created! Proceeding to KYC verification...')).toBeVisible()
    })
    expect(await me(page)).toMatchObject({ fullName: ann.name, email: ann.email, initials: 'AL' })
  })
})

test.describe('sign-in', () => {
  test('refuses a wrong password, and accepts the right one', async ({ page }) => {
    const ann = await openAnn(page)
    await logOut(page)
    await fillSignIn(page, ann.email, 'wrong')
    await expect(findToast(page, "That email or password isn't right")).toBeVisible()
    await expectDelay(page, '/session', '/dashboard', 1000, async () => {
      await fillSignIn(page, `  ${ann.email.toUpperCase()}`, ann.password)
      await expect(findToast(page, 'Login successful!')).toBeVisible()
    })
    expect((await me(page)).email).toBe(ann.email)
  })

  test('a forgotten password is reset by a link in the mailbox: the new password works and the old one does not', async ({
    page,
  }) => {
    const ann = await openAnn(page)
    await openSignIn(page)
    await page.getByLabel('Email').fill(ann.email)
    await page.getByRole('button', { name: 'Forgot Password?' }).click()
    const sheet = page.getByRole('dialog')
    await sheet.getByRole('button', { name: 'Send Link' }).click()
    await expect(sheet).toContainText('If this address has an Alder account, a link is on its way.')
    await sheet.getByRole('link', { name: 'Open Mailbox' }).click()
    await page.getByText('Choose a new password').first().click()
    await page.getByRole('button', { name: 'Show Text Only' }).click()
    // The test opens the address instead of clicking the link, because the page reads the list again every two seconds and a
    // click may fall between two lists.
    await page.goto((await page.getByRole('link', { name: /reset-password/ }).getAttribute('href')) ?? '')
    await expect(page.getByRole('heading', { name: 'Choose a new password' })).toBeVisible()
    await expect(page).toHaveURL('/reset-password')
    await page.reload()

    await password(page).fill('green heron')
    await confirmation(page).fill('green heron')
    await page.getByRole('button', { name: 'Save Password' }).click()
    await expect(findToast(page, 'Password changed. Please sign in with your new password')).toBeVisible()
    await expect(page).toHaveURL('/login', LED_ON)

    await fillSignIn(page, ann.email, ann.password)
    await expect(findToast(page, "That email or password isn't right")).toBeVisible()
    await fillSignIn(page, ann.email, 'green heron')
    await expect(page).toHaveURL('/dashboard', LED_ON)
    expect((await me(page)).email).toBe(ann.email)
  })
})

test.describe('passkeys', () => {
  test('sign in through the browser’s autofill', async ({ page }) => {
    const ann = await openAnn(page)
    await giveFingerprintReader(page)
    await addPasskey(page)
    await openSignIn(page)
    await expect(findToast(page, 'Biometric authentication successful!')).toBeVisible()
    await expect(page).toHaveURL('/dashboard', LED_ON)
    expect((await me(page)).email).toBe(ann.email)
  })
})

/** Creates a passkey on the page's device, as the security screen does. */
async function addPasskey(page: Page): Promise<void> {
  const { oneTimeToken, options } = await post<PasskeyOptions>(page, '/passkeys/options')
  const response = await page.evaluate(async (json) => {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(json as never)
    return ((await navigator.credentials.create({ publicKey })) as PublicKeyCredential).toJSON()
  }, options)
  await post(page, '/passkeys', { oneTimeToken, response })
  await page.evaluate(() => localStorage.setItem('alder.passkey', 'made'))
}

test.describe('the next customer on the same device', () => {
  test('sees no data of the previous customer, not even with the Back button', async ({ page }) => {
    await visitDashboard(page)
    const customerBefore = await me(page)
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
    await expect(page.getByRole('main')).not.toContainText(customerBefore.fullName)
    for (;;) {
      await page.goBack()
      if (new URL(page.url()).pathname === '/transaction-detail') break
    }
    await expect(page.getByText('Transaction not found')).toBeVisible()
  })

  test('signing in as another customer in one tab switches all tabs, and signing out signs all tabs out', async ({
    page,
  }) => {
    const firstCustomer = await visit(page)
    const otherPage = await page.context().newPage()
    await otherPage.goto('/settings')
    await expect(otherPage.getByText(firstCustomer.email)).toBeVisible()
    await page.goto('/login')
    const ben = newcomer({ email: `ben.${randomUUID()}@example.com` })
    await fillSignIn(page, ben.email, ben.password)
    await expect(otherPage).toHaveURL('/dashboard')
    await otherPage.goto('/settings')
    await expect(otherPage.getByText(ben.email)).toBeVisible()
    await logOut(page)
    await expect(otherPage).toHaveURL('/login')
  })
})

test('public pages open no sample customer', async ({ page }) => {
  const visits: string[] = []
  page.on('request', (request) => {
    if (
      /\/(session\/visit|me|dashboard|events)$/.test(new URL(request.url()).pathname) &&
      request.url().includes('/api/')
    )
      visits.push(request.url())
  })
  for (const path of ['/', '/login', '/confirm-email?token=a']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await page.waitForLoadState('networkidle')
  }
  expect(visits).toEqual([])
  expect((await page.request.get('/api/v1/me')).status()).toBe(401)
})

/** Makes the page behave as if the bank signed customers out after `idleSeconds`. */
async function makeIdle(page: Page, idleSeconds: number): Promise<void> {
  await page.context().route('**/api/v1/me', async (route) => {
    const answer = await route.fetch()
    const body = (await answer.json()) as Me
    await route.fulfill({ response: answer, json: { ...body, idleSeconds } })
  })
}

const SIGN_UP: ScreenState[] = [
  ['sign-up', (page) => goTo(page, '/signup')],
  [
    'sign-up, refused',
    async (page) => {
      await goTo(page, '/signup')
      await pressContinue(page)
      await expect(findToast(page, 'Please fill in all fields')).toBeVisible()
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
      await pressContinue(page)
      await expect(findToast(page, "Passwords don't match")).toBeVisible()
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

const SIGN_IN: ScreenState[] = [
  ['sign-in', (page) => goTo(page, '/login')],
  [
    'sign-in, refused',
    async (page) => {
      await goTo(page, '/login')
      await signInButton(page).click()
      await expect(findToast(page, 'Please fill in all fields')).toBeVisible()
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

const LINKS: ScreenState[] = [
  ['new password', (page) => goTo(page, '/reset-password?token=none')],
  ['new password, no link', (page) => goTo(page, '/reset-password')],
  ['confirm email', (page) => goTo(page, '/confirm-email?token=none')],
  ['confirm email, no link', (page) => goTo(page, '/confirm-email')],
]

const SIGNED_IN: ScreenState[] = [
  [
    'second factor, then proof',
    async (page) => {
      const ann = await openAnn(page)
      const { secret } = await switchTwoFactorOn(page)
      await openSignIn(page)
      await fillSignIn(page, ann.email, ann.password)
      await page.getByLabel('Six-Digit Code').fill('000000')
      await expect(findToast(page, "That code isn't right")).toBeVisible()
      await expectAccessible(page)
      await page.getByLabel('Six-Digit Code').fill(authenticatorCode(secret, 1))
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
      await expect(page.getByRole('dialog', { name: 'Are you still there?' })).toBeVisible({ timeout: 45_000 })
    },
  ],
]

for (const [group, states] of [
  ['of signing up', SIGN_UP],
  ['of signing in', SIGN_IN],
  ['behind a mailed link', LINKS],
  ['for signed-in customers', SIGNED_IN],
] as const) {
  test(`every screen ${group} has no violations, light and dark, and fits a narrow phone`, async ({ page }) => {
    await checkScreens(page, states)
  })
}
