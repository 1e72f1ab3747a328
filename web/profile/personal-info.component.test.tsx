import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { Profile, ProfileChange } from '#contract/profile.ts'
import { dashboardQuery } from '#web/accounts/queries.ts'
import { queries } from '#web/app/query-client.ts'
import { readAddress, open, pressByKey, findToast } from '#web/test/app.tsx'
import { bank, changeRequests } from '#web/test/bank.ts'

const field = (label: string) => page.getByLabelText(label, { exact: true })
const save = page.getByRole('button', { name: 'Save Changes' })
const edit = page.getByRole('button', { name: 'Edit' })
const SAVED_MESSAGE = 'Personal information updated successfully!'

const isEditable = (label: string) => !(field(label).element() as HTMLInputElement).readOnly

/** Opens the form after the checks of phone numbers and the current day have loaded. */
async function openForm(): Promise<void> {
  await open('/personal-info')
  await expect.element(field('Phone Number')).toHaveValue(expect.stringContaining(' '))
  await expect.poll(() => queries.getQueryData(dashboardQuery.queryKey)).toBeDefined()
}

/** Mocks a bank that accepts each change, with the corrections that `correct` returns. */
async function takeChanges(correct: (change: ProfileChange) => Partial<Profile> = () => ({})): Promise<void> {
  const profile = await bank.recorded('/profile')
  bank.patch('/profile', ({ json }) => {
    const changedProfile = Object.assign({}, profile, json, correct(json))
    bank.get('/profile', changedProfile)
    return changedProfile
  })
}

test('is read-only until it is edited, and changed fields are saved in the bank’s spelling', async () => {
  await takeChanges((change) => ({ postcode: change.postcode?.toUpperCase() ?? null }))
  await open('/personal-info')
  for (const [label, type] of [
    ['Full Name', 'text'],
    ['Email', 'email'],
    ['Phone Number', 'tel'],
    ['Date of Birth', 'date'],
    ['Address', 'text'],
    ['Postcode', 'text'],
  ] as const) {
    await expect.element(field(label)).toHaveAttribute('type', type)
    expect(isEditable(label)).toBe(false)
  }
  expect(save.query()).toBeNull()
  await edit.click()
  await field('Full Name').fill('Ada Byron')
  await field('Date of Birth').fill('1990-12-10')
  await field('Address').fill('12 St James’s Square, London')
  await field('Postcode').fill('sw1y 4le')
  await save.click()
  await expect.element(findToast(SAVED_MESSAGE)).toBeVisible()
  expect(changeRequests().map(({ method, path, json }) => ({ method, path, json }))).toEqual([
    {
      method: 'PATCH',
      path: '/profile',
      json: {
        fullName: 'Ada Byron',
        dateOfBirth: '1990-12-10',
        address: '12 St James’s Square, London',
        postcode: 'sw1y 4le',
      },
    },
  ])
  expect(isEditable('Full Name')).toBe(false)
  await expect.element(edit).toHaveFocus()
  await expect.element(field('Postcode')).toHaveValue('SW1Y 4LE')
})

test('Cancel leaves the edit mode and keeps the unsaved input', async () => {
  await takeChanges()
  await open('/personal-info')
  await edit.click()
  await field('Full Name').fill('Grace Hopper')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect.element(field('Full Name')).toHaveValue('Grace Hopper')
  expect(isEditable('Full Name')).toBe(false)
  await expect.element(page.getByText('You have unsaved changes.')).toBeVisible()
  expect(changeRequests()).toEqual([])
  await edit.click()
  await save.click()
  await expect.element(findToast(SAVED_MESSAGE)).toBeVisible()
  expect(changeRequests()).toMatchObject([{ json: { fullName: 'Grace Hopper' } }])
})

const WRONG_VALUES = [
  ['Full Name', '  ', 'Please fill in all fields', 'Enter your full name'],
  ['Email', 'nobody', 'Please enter a valid email address'],
  ['Phone Number', '12', 'Please enter a valid phone number'],
  ['Date of Birth', '2020-01-01', 'Please enter a valid date of birth'],
  ['Postcode', '!', 'Please enter a valid postcode'],
] as const

test('shows a refusal at the field and in a toast, and changes nothing', async () => {
  await openForm()
  await edit.click()
  for (const [label, wrongValue, message, atField = message] of WRONG_VALUES) {
    const valueBefore = (field(label).element() as HTMLInputElement).value
    await field(label).fill(wrongValue)
    await save.click()
    await expect.element(findToast(message)).toBeVisible()
    await expect.element(field(label)).toHaveAccessibleDescription(atField)
    await expect.element(field(label)).toHaveFocus()
    expect(isEditable(label)).toBe(true)
    await field(label).fill(valueBefore)
    await expect.element(field(label)).not.toHaveAttribute('aria-invalid', 'true')
  }
  expect(changeRequests()).toEqual([])
})

test('marks all errors at once, and removes them with the changes', async () => {
  const profileBefore = await bank.recorded('/profile')
  await openForm()
  await edit.click()
  for (const [label, wrongValue] of WRONG_VALUES) await field(label).fill(wrongValue)
  await pressByKey(save)
  for (const [label] of WRONG_VALUES) await expect.element(field(label)).toHaveAttribute('aria-invalid', 'true')
  await expect.element(field('Full Name')).toHaveFocus()
  // The toast contains the first error.
  await expect.element(findToast('Please fill in all fields')).toBeVisible()
  await pressByKey(page.getByRole('button', { name: 'Discard Changes' }))
  await expect.element(field('Full Name')).toHaveValue(profileBefore.fullName)
  expect(isEditable('Full Name')).toBe(false)
  expect(document.querySelectorAll('main [aria-invalid]')).toHaveLength(0)
  expect(page.getByText('You have unsaved changes.').query()).toBeNull()
  expect(changeRequests()).toEqual([])
})

test('another email waits for confirmations from both addresses', async () => {
  const { email } = await bank.recorded('/profile')
  await takeChanges((change) => ({ email, pendingEmail: change.email ?? null }))
  await openForm()
  await edit.click()
  await field('Email').fill('new@elsewhere.example')
  await expect.element(page.getByText(/Your email changes once both are confirmed\.$/)).toBeVisible()
  await save.click()
  await expect.element(findToast(SAVED_MESSAGE)).toBeVisible()
  expect(changeRequests()).toMatchObject([{ json: { email: 'new@elsewhere.example' } }])
  const newEmail = page.getByRole('region', { name: 'New Email' })
  await expect.element(newEmail).toMatchTextContent(/^new@elsewhere\.example/)
  await expect.element(newEmail).toMatchTextContent(/We've sent an email to each address/)
  await expect.element(field('Email')).toHaveValue(email)
  await newEmail.getByRole('link', { name: 'Open Mailbox' }).click()
  await expect.poll(readAddress).toBe('/sample/mail')
})
