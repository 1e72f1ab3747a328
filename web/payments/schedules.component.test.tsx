import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { Schedule } from '#contract/schedules.ts'
import { router } from '#web/app/routes.tsx'
import { readAddress, open, pressByKey, findToast } from '#web/test/app.tsx'
import { bank, changeRequests } from '#web/test/bank.ts'

const amount = page.getByLabelText('Amount')
const recipient = page.getByLabelText('Recipient')
const sheet = page.getByRole('dialog')
const inSheet = (name: string | RegExp) => sheet.getByRole('button', { name, exact: true })
const sentRequests = () => changeRequests().map(({ path, json }) => [path, json])

const RENT: Schedule = {
  id: 'e2a5c3de-1c5e-4f0c-8a55-0c7a7f3b9e01',
  recipient: 'sarah.johnson@example.com',
  name: 'Sarah Johnson',
  initials: 'SJ',
  amountMinor: 25_00,
  asset: 'USD',
  note: null,
  every: 'month',
  nextOn: '2026-08-31',
  dueOn: '2026-08-31',
  retrying: false,
  end: { kind: 'after', times: 2 },
  status: 'active',
  version: 1,
}

/** Mocks the bank's response with this scheduled payment, or none. */
function mockSchedule(schedule: Schedule | null): { schedule: Schedule } {
  bank.get('/schedules', { schedules: schedule ? [schedule] : [] })
  return { schedule: schedule ?? RENT }
}

test('a monthly payment is scheduled, and the dashboard shows the remaining money', async () => {
  const dashboard = await bank.recorded('/dashboard')
  bank.post('/schedules', ({ json }) => {
    const { id, name, amountMinor, asset, dueOn } = RENT
    const next = [{ kind: 'scheduled' as const, id, name, amountMinor, asset, dueOn }]
    const upcoming = { next, dueThisMonthMinor: 25_00, asset, leftMinor: 12_433_50 }
    bank.get('/dashboard', { ...dashboard, upcoming })
    return mockSchedule({ ...RENT, end: json.end })
  })
  await open('/transfer')
  await expect.element(page.getByRole('radio', { name: 'Now' })).toBeChecked()
  await amount.fill('25')
  await page.getByRole('button', { name: /Sarah Johnson/ }).click()
  await page.getByRole('radio', { name: 'Monthly' }).click()
  const first = page.getByLabelText('First Payment')
  const times = page.getByLabelText('Number of Payments')
  const submit = page.getByRole('button', { name: 'Schedule Payment' })
  // The default date is tomorrow.
  await expect.element(first).toHaveValue('2026-08-29')
  await first.fill('2026-08-27')
  await page.getByRole('radio', { name: 'After' }).click()
  await pressByKey(submit)
  await expect.element(findToast('Please choose a date between today and two years from now')).toBeVisible()
  await expect.element(times).toHaveAccessibleDescription('Enter a number')
  expect(sentRequests()).toEqual([])
  await first.fill('2026-08-31')
  await times.fill('2')
  await expect.element(page.getByText('$25.00 to Sarah Johnson every month from August 31, 2026')).toBeVisible()
  await pressByKey(submit)
  await expect.element(findToast('$25.00 to sarah.johnson@example.com is scheduled')).toBeVisible()
  await expect.element(findToast('The first payment goes out on August 31, 2026.')).toBeVisible()
  await expect.poll(readAddress).toBe('/dashboard')
  await expect.element(page.getByText('$12,433.50 left to spend after $25.00 due this month')).toBeVisible()
  await page.getByRole('link', { name: /Sarah Johnson.*\$25\.00.*Aug 31/ }).click()
  await expect.element(sheet).toMatchTextContent('After 2 more payments')
  const { recipient: recipientAddress, amountMinor, asset, every, nextOn: startsOn, end } = RENT
  expect(sentRequests()).toEqual([
    ['/schedules', { recipient: recipientAddress, amountMinor, asset, every, startsOn, end }],
  ])
})

test('a scheduled payment is changed, skipped once and canceled', async () => {
  mockSchedule(RENT)
  bank.post('/schedules/:id/changes', ({ json: { amountMinor, note } }) =>
    mockSchedule({ ...RENT, amountMinor, note, version: 2 }),
  )
  const skippedSchedule: Schedule = {
    ...RENT,
    amountMinor: 30_00,
    note: 'Rent',
    version: 3,
    nextOn: '2026-09-30',
    dueOn: '2026-09-30',
    end: { kind: 'after', times: 1 },
  }
  bank.post('/schedules/:id/skip', () => mockSchedule(skippedSchedule))
  bank.post('/schedules/:id/cancel', () => {
    mockSchedule(null)
    return { schedule: { ...skippedSchedule, status: 'cancelled' as const } }
  })
  await open('/transfer')
  await page.getByRole('button', { name: /Sarah Johnson.*\$25\.00.*Every month.*Next: Aug 31/ }).click()
  await expect.element(sheet).toMatchTextContent('After 2 more payments')
  await inSheet('Edit').click()
  await sheet.getByLabelText('Amount').fill('30')
  await sheet.getByLabelText('Note (optional)').fill('Rent')
  await pressByKey(inSheet('Save Changes'))
  await expect.element(findToast('Scheduled payment changed')).toBeVisible()
  await expect.element(sheet).toMatchTextContent('$30.00')
  await expect.element(sheet).toMatchTextContent('Rent')
  await pressByKey(inSheet('Skip Next'))
  await expect
    .element(sheet)
    .toMatchTextContent('Nothing will be sent on August 31, 2026. Later payments stay as they are.')
  await pressByKey(inSheet('Skip Payment'))
  await expect.element(findToast("We'll skip the payment on August 31, 2026")).toBeVisible()
  const row = page.getByRole('button', { name: /Sarah Johnson.*\$30\.00.*Every month.*Next: Sep 30/ })
  await pressByKey(row)
  await expect.element(sheet).toMatchTextContent('After 1 more payment')
  await pressByKey(inSheet('Cancel'))
  await pressByKey(inSheet('Cancel Payment'))
  await expect.element(findToast('Scheduled payment canceled')).toBeVisible()
  await expect.element(row).not.toBeInTheDocument()
  const path = `/schedules/${RENT.id}`
  expect(sentRequests()).toEqual([
    [`${path}/changes`, { version: 1, amountMinor: 30_00, note: 'Rent', nextOn: '2026-08-31', end: RENT.end }],
    [`${path}/skip`, { version: 2 }],
    [`${path}/cancel`, null],
  ])
})

test('a person with whom only a bill was split is new until they are paid, and a schedule can be canceled', async () => {
  const email = 'somebody@elsewhere.example'
  const recording = await bank.recorded('/contacts')
  const [transaction] = (await bank.recorded('/transactions')).transactions
  if (!transaction) throw new Error('There is no transaction')
  // A person who only shared a bill has never been paid, so their address may also be mistyped.
  const sharedContact = { name: email, email, initials: 'S', favourite: false, paid: false }
  bank.get('/contacts', { ...recording, contacts: [sharedContact, ...recording.contacts] })
  bank.post('/transfers', () => {
    bank.get('/contacts', { ...recording, contacts: [{ ...sharedContact, paid: true }, ...recording.contacts] })
    return { transaction }
  })
  const send = page.getByRole('button', { name: 'Send Money' })
  const review = page.getByRole('dialog', { name: 'Is this the right recipient?' })
  await open('/transfer')
  await amount.fill('15')
  await page.getByRole('button', { name: email }).click()
  await send.click()
  await pressByKey(review.getByRole('button', { name: 'Confirm' }))
  await expect.element(findToast(`$15.00 sent successfully to ${email}`)).toBeVisible()
  // The payee has been paid by now.
  await expect.element(page.getByRole('region', { name: 'Balance' })).toBeVisible()
  bank.post('/schedules', mockSchedule(RENT))
  bank.post('/schedules/:id/cancel', () => {
    mockSchedule(null)
    return { schedule: { ...RENT, status: 'cancelled' as const } }
  })
  await router.navigate('/transfer')
  await amount.fill('16')
  await page.getByRole('button', { name: email }).click()
  await page.getByRole('radio', { name: 'Later' }).click()
  await pressByKey(page.getByRole('button', { name: 'Schedule Payment' }))
  await expect.poll(() => sentRequests().length).toBe(2)
  await expect.element(review).not.toBeInTheDocument()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.element(findToast('Scheduled payment canceled')).toBeVisible()
  expect(sentRequests().at(-1)?.[0]).toBe(`/schedules/${RENT.id}/cancel`)
})

test('contacts are found, made favorites, chosen and removed', async () => {
  const recording = await bank.recorded('/contacts')
  let { contacts } = recording
  const buildList = () => ({
    ...recording,
    contacts: contacts.toSorted((a, b) => Number(b.favourite) - Number(a.favourite)),
  })
  bank.get('/contacts', buildList)
  bank.get('/contacts/search', ({ query }) => {
    const q = query.get('q') ?? ''
    return { contacts: buildList().contacts.filter(({ name }) => name.toLowerCase().includes(q)), more: false }
  })
  bank.post('/contacts/mark', ({ json: { email, favourite } }) => {
    contacts = contacts.map((contact) => (contact.email === email ? { ...contact, favourite } : contact))
    return {}
  })
  bank.post('/contacts/remove', ({ json: { email } }) => {
    contacts = contacts.filter((contact) => contact.email !== email)
    return {}
  })
  const count = contacts.length
  expect(contacts[0]?.name).not.toBe('Emma Wilson')
  const rows = () => sheet.getByRole('listitem').elements().length
  const search = sheet.getByLabelText('Search')
  await open('/transfer')
  await page.getByRole('button', { name: 'See All' }).click()
  await expect.element(sheet).toHaveAccessibleName('All contacts')
  await expect.poll(rows).toBe(count)
  await search.fill('emma')
  await expect.poll(rows).toBe(1)
  await inSheet('Add Emma Wilson to Favorites').click()
  await expect.element(inSheet('Remove Emma Wilson from Favorites')).toHaveAttribute('aria-pressed', 'true')
  await search.fill('no such person')
  await expect.element(sheet).toMatchTextContent('No contacts found')
  await search.fill('')
  await inSheet('Remove David Brown').click()
  await inSheet('Remove').click()
  await expect.poll(rows).toBe(count - 1)
  expect(sentRequests()).toEqual([
    ['/contacts/mark', { email: 'emma.wilson@example.com', favourite: true }],
    ['/contacts/remove', { email: 'david.brown@example.com' }],
  ])
  await inSheet(/^Mike Chen/).click()
  await expect.element(sheet).not.toBeInTheDocument()
  await expect.element(recipient).toHaveValue('mike.chen@example.com')
  await expect.element(page.getByRole('button', { name: /Emma Wilson/ })).toMatchTextContent('Favorite')
  await userEvent.keyboard('{Escape}')
})
