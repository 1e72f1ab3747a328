import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { SignUpRequest } from '#contract/identity.ts'
import { router } from '#web/app/routes.tsx'
import { readAddress, open, findToast } from '#web/test/app.tsx'
import { bank, changeRequests, refusalAnswer } from '#web/test/bank.ts'

const ANN: Omit<SignUpRequest, 'referralCode'> = {
  fullName: 'Ann Lee',
  email: 'ann@example.com',
  phone: '07700 900123',
  password: 'copper kettle',
}

const name = page.getByLabelText('Full Name')
const email = page.getByLabelText('Email')
const phone = page.getByLabelText('Phone')
const password = page.getByLabelText('Password', { exact: true })
const confirmation = page.getByLabelText('Confirm Password')
const button = (text: string) => page.getByRole('button', { name: text, exact: true })
const back = button('Back')
const pressContinue = () => button('Continue').click()
const create = () => button('Create Account').click()
const step = async (number: number) =>
  await expect
    .element(page.getByRole('progressbar', { name: 'Sign-up' }))
    .toHaveAttribute('aria-valuetext', `Step ${number} of 3`)
const strength = async (word: string) =>
  await expect.element(page.getByRole('status').filter({ hasText: `Password strength: ${word}` })).toBeInTheDocument()
const createdToast = findToast('Account created! Proceeding to KYC verification...')

async function fillName(person = ANN): Promise<void> {
  await name.fill(person.fullName)
  await email.fill(person.email)
  await pressContinue()
  await step(2)
}

async function fillPassword(person = ANN): Promise<void> {
  await phone.fill(person.phone)
  await password.fill(person.password)
  await confirmation.fill(person.password)
  await pressContinue()
  await step(3)
}

/** Mocks a bank that accepts every sign-up. */
async function takesAnybody(): Promise<void> {
  bank.post('/customers', await bank.recorded('/me'))
}

test('each step shows missing and invalid fields', async () => {
  await open('/signup')
  await step(1)
  await pressContinue()
  await expect.element(findToast('Please fill in all fields')).toBeVisible()
  await step(1)
  await name.fill('   ')
  await email.fill(ANN.email)
  await pressContinue()
  await expect.element(name).toHaveAccessibleDescription('Enter your full name')
  await name.fill(`  ${ANN.fullName} `)
  await expect.element(name).toHaveAccessibleDescription('')
  await email.fill('not-an-email')
  await pressContinue()
  const refusal = findToast('Please enter a valid email address')
  await expect.element(refusal).toBeVisible()
  await expect.element(email).toHaveAccessibleDescription('Please enter a valid email address')
  await expect.element(email).toHaveFocus()
  // An error stays until the input is corrected or emptied.
  await email.fill('still-not-one')
  await expect.element(email).toHaveAccessibleDescription('Please enter a valid email address')
  await email.fill('')
  await expect.element(email).toHaveAccessibleDescription('')
  await email.fill(ANN.email)
  await pressContinue()
  await step(2)
  // The message disappears before its own timeout.
  await expect.element(refusal, { timeout: 2_500 }).not.toBeInTheDocument()

  await pressContinue()
  await expect.element(findToast('Please fill in all fields')).toBeVisible()
  await phone.fill('12')
  await password.fill(ANN.password)
  await confirmation.fill('copper kettles')
  await pressContinue()
  await expect.element(page.getByRole('listitem').getByText("Passwords don't match")).toBeVisible()
  await expect.element(confirmation).toHaveAccessibleDescription("Passwords don't match")
  await expect.element(confirmation).toHaveFocus()
  await step(2)
  await confirmation.fill(ANN.password)
  await pressContinue()
  await expect.element(page.getByRole('listitem').getByText('Please enter a valid phone number')).toBeVisible()
  await expect.element(phone).toHaveFocus()
  // A step that the customer returns to shows no errors.
  await back.click()
  await step(1)
  await pressContinue()
  await expect.element(phone).toHaveAccessibleDescription('')
  await phone.fill(ANN.phone)
  await pressContinue()
  await step(3)

  const review = page.getByRole('main')
  for (const text of [ANN.fullName, ANN.email, ANN.phone]) await expect.element(review).toMatchTextContent(text)
  await expect.element(review).not.toMatchTextContent(ANN.password)
  expect(changeRequests()).toEqual([])
})

test('the request omits surrounding spaces, and includes the code of the friend’s link', async () => {
  await takesAnybody()
  await open('/signup?ref=K7WQ2XNP')
  await fillName({ ...ANN, fullName: `  ${ANN.fullName} `, email: ` ${ANN.email}` })
  await fillPassword()
  await create()
  await expect.element(createdToast).toBeVisible()
  expect(changeRequests()).toMatchObject([
    {
      path: '/customers',
      json: { ...ANN, referralCode: 'K7WQ2XNP' },
      key: expect.stringMatching(/^[0-9a-f-]{36}$/),
    },
  ])
  await expect.poll(readAddress).toBe('/kyc')
  expect(JSON.stringify(Object.values(sessionStorage))).not.toContain(ANN.email)
})

test('the form’s button and the browser’s go back and forward between steps', async () => {
  await router.navigate('/')
  await open('/signup')
  await fillName()
  await fillPassword()
  await back.click()
  await step(2)
  await expect.element(phone).toHaveValue(ANN.phone)
  history.back()
  await step(1)
  await expect.element(name).toHaveValue(ANN.fullName)
  history.forward()
  await step(2)
  await expect.element(password).toHaveValue(ANN.password)
  await pressContinue()
  await button('Edit Email').click()
  await step(1)
  await expect.element(email).toHaveValue(ANN.email)
  await page.getByRole('link', { name: 'Back' }).click()
  await expect.poll(readAddress).toBe('/')
})

test('the success message appears while an earlier error is still fading out', async () => {
  await takesAnybody()
  await open('/signup')
  await fillName()
  await phone.fill(ANN.phone)
  await password.fill(ANN.password)
  await pressContinue()
  await expect.element(findToast('Please fill in all fields')).toBeVisible()
  await confirmation.fill(ANN.password)
  // The test presses each button as soon as it appears, faster than a person could.
  const find = (text: string) =>
    [...document.querySelectorAll('button')].find((element) => element.textContent === text)
  const pressLast = (): void => {
    const last = find('Create Account')
    if (last) last.click()
    else requestAnimationFrame(pressLast)
  }
  find('Continue')?.click()
  pressLast()
  await expect.element(createdToast).toBeVisible()
})

test.for([
  ['an email', 'email_invalid', 'Please enter a valid email address', 1, email, 'bea@example.com'],
  ['a phone number', 'phone_invalid', 'Please enter a valid phone number', 2, phone, '07700 900456'],
] as const)(
  'the step of the refused field %s comes back',
  async ([, code, message, stepNumber, field, correctedText]) => {
    bank.post('/customers', refusalAnswer(code))
    await open('/signup')
    await fillName()
    await fillPassword()
    await create()
    await expect.element(page.getByRole('listitem').getByText(message)).toBeVisible()
    await step(stepNumber)
    await expect.element(field).toHaveFocus()
    await expect.element(field).toHaveAccessibleDescription(message)
    await takesAnybody()
    await field.fill(correctedText)
    await pressContinue()
    if (stepNumber === 1) {
      await step(2)
      await pressContinue()
    }
    await step(3)
    await create()
    await expect.element(createdToast).toBeVisible()
    expect(changeRequests().at(-1)?.json).toEqual({ ...ANN, [stepNumber === 1 ? 'email' : 'phone']: correctedText })
  },
)

test('a phone number is grouped while it is typed, and corrections are not changed', async () => {
  await open('/signup')
  await fillName()
  await expect
    .poll(async () => {
      await userEvent.clear(phone)
      await userEvent.type(phone, '07700900123')
      return (phone.element() as HTMLInputElement).value
    })
    .toBe('07700 900123')
  await userEvent.keyboard('{ArrowLeft}{ArrowLeft}{ArrowLeft}{Backspace}')
  await expect.element(phone).toHaveValue('07700 90123')
  expect((phone.element() as HTMLInputElement).selectionStart).toBe(8)
})

describe('a password', () => {
  test('has a rating in words, and is shown on demand', async () => {
    await open('/signup')
    await fillName()
    for (const [typed, word] of [
      ['password', 'Weak'],
      ['summer rain', 'Fair'],
      ['copper kettle', 'Good'],
      ['four quiet copper kettles', 'Strong'],
      ['Ann Lee', 'Weak'],
    ] as const) {
      await password.fill(typed)
      await strength(word)
    }
    await expect.element(password).toHaveAttribute('type', 'password')
    await button('Show Characters').first().click()
    await expect.element(password).toHaveAttribute('type', 'text')
    await expect.element(confirmation).toHaveAttribute('type', 'password')
  })

  test('has to be long and strong enough before the request, if customers sign in first', async () => {
    const session = await bank.recorded('/session')
    bank.get('/session', { ...session, me: null, passwordMinLength: 12, commonPasswordsRefused: true })
    await open('/signup')
    const local = 'ann.5f0c2e1b-7d44-4c55'
    await fillName({ ...ANN, email: `${local}@example.com` })
    await expect.element(password).toHaveAccessibleDescription(/At least 12 characters/)
    await phone.fill(ANN.phone)
    for (const [typed, message] of [
      ['copper', 'Please choose a password with at least 12 characters'],
      ['password12345', 'This password is too easy to guess. Please choose another'],
      [`${local} and more`, 'This password is too easy to guess. Please choose another'],
    ] as const) {
      await password.fill(typed)
      await strength('')
      await confirmation.fill(typed)
      await pressContinue()
      await expect.element(page.getByRole('listitem').getByText(message)).toBeVisible()
      await expect.element(password).toHaveAccessibleDescription(message)
      await expect.element(password).toHaveFocus()
      await step(2)
    }
    await password.fill('four quiet copper kettles')
    await confirmation.fill('four quiet copper kettles')
    await pressContinue()
    await step(3)
    expect(changeRequests()).toEqual([])
  })
})

test('the input is kept on this device until the account exists, except the password', async () => {
  await open('/signup')
  await fillName()
  await fillPassword()
  const storedText = JSON.stringify([Object.values(sessionStorage), Object.values(localStorage), history.state])
  expect(storedText).toContain(ANN.email)
  expect(storedText).not.toContain(ANN.password)
})

test('the form can be completed by keyboard alone', async () => {
  await takesAnybody()
  await open('/signup')
  await expect.element(name).toBeVisible()
  const type = (text: string) => userEvent.keyboard(text)
  ;(name.element() as HTMLElement).focus()
  await type(ANN.fullName)
  await userEvent.tab()
  await type(`${ANN.email}{Enter}`)
  await step(2)
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveFocus()
  await userEvent.tab()
  await expect.element(phone).toHaveFocus()
  await type(ANN.phone)
  await userEvent.tab()
  await type(ANN.password)
  await userEvent.tab()
  await userEvent.tab()
  await type(`${ANN.password}{Enter}`)
  await step(3)
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveFocus()
  ;(button('Create Account').element() as HTMLElement).focus()
  await userEvent.keyboard('{Enter}')
  await expect.element(createdToast).toBeVisible()
})
