import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { Bill, Group, GroupDetail } from '#contract/bills.ts'
import { readAddress, open, pressByKey, findToast } from '#web/test/app.tsx'
import { bank, changeRequests, emitLiveEvent, refusalAnswer } from '#web/test/bank.ts'

const button = page.getByRole('button', { name: 'Split Bill' })
const total = page.getByLabelText('Total Amount')
const description = page.getByLabelText('Description (optional)')
const people = page.getByRole('checkbox')
const dialog = (name: string) => page.getByRole('dialog', { name, exact: true })

const share = { initials: 'SJ', amountMinor: 33_33, paidMinor: 0, status: 'open' as const }
const DINNER: Bill = {
  id: 'b5a1c3de-1c5e-4f0c-8a55-0c7a7f3b9e01',
  description: 'Dinner',
  totalMinor: 100_00,
  asset: 'USD',
  ownMinor: 33_34,
  paidMinor: 0,
  status: 'open',
  createdAt: '2026-08-28T08:00:00.000Z',
  shares: [
    { ...share, name: 'Sarah Johnson', requestId: 'a' },
    { ...share, name: 'Mike Chen', requestId: 'b' },
  ],
}

const hasBills = (...bills: Bill[]) => bank.get('/bills', { bills, nextCursor: null })

async function addPerson(name: string, email: string): Promise<void> {
  await page.getByRole('button', { name: 'Add Someone Else' }).click()
  const sheet = dialog('Add someone')
  await sheet.getByLabelText('Name').fill(name)
  await sheet.getByLabelText('Email or Phone').fill(email)
  await sheet.getByRole('button', { name: 'Add', exact: true }).click()
  await expect.element(sheet).not.toBeInTheDocument()
}

test('no row moves when a person is chosen', async () => {
  const heights = () => people.elements().map((person) => person.closest('li')?.getBoundingClientRect().height)
  await open('/split-bill')
  await total.fill('9000')
  await expect.poll(() => people.elements().length).toBe(4)
  const heightsBefore = heights()
  for (const person of people.elements()) await page.elementLocator(person).click()
  await expect.element(page.getByText('$1,800.00').first()).toBeVisible()
  expect(heights()).toEqual(heightsBefore)
})

test('a bill is split among contacts by the rules of the screen', async () => {
  bank.post('/bills', { bill: DINNER })
  await open('/split-bill')
  await expect.element(button).toBeDisabled()
  await expect.poll(() => people.elements().length).toBe(4)
  await total.fill('100')
  await expect.element(button).toBeDisabled()
  await page.getByRole('checkbox', { name: /Sarah Johnson/ }).click()
  await total.fill('0')
  await button.click()
  await expect.element(findToast('Please enter a valid amount')).toBeVisible()
  await total.fill('100')
  await page.getByRole('checkbox', { name: /Mike Chen/ }).click()
  await expect.element(page.getByText('Each person pays $33.33, and you pay $33.34')).toBeVisible()
  await description.fill('Dinner')

  await page.getByRole('radio', { name: 'By percent' }).click()
  await expect.element(page.getByText('sarah.johnson@example.com')).toBeVisible()
  await page.getByLabelText('Percentage for Sarah Johnson').fill('60')
  await pressByKey(button)
  await expect.element(findToast('Please enter a valid amount')).toBeVisible()
  await page.getByLabelText('Percentage for Mike Chen').fill('50')
  await pressByKey(button)
  await expect.element(findToast('The shares must add up to the total')).toBeVisible()
  await page.getByRole('radio', { name: 'Equally' }).click()
  expect(changeRequests()).toEqual([])

  await pressByKey(button)
  await expect.element(findToast('Bill split! Each person pays $33.33.')).toBeVisible()
  expect(changeRequests().map(({ json }) => json)).toEqual([
    {
      totalMinor: 100_00,
      asset: 'USD',
      division: 'equal',
      description: 'Dinner',
      people: [
        { name: 'Sarah Johnson', address: 'sarah.johnson@example.com' },
        { name: 'Mike Chen', address: 'mike.chen@example.com' },
      ],
    },
  ])
  await expect.poll(readAddress).toBe('/dashboard')
})

test('a bill lists the payers, unpaid shares are taken back, and it settles live', async () => {
  hasBills(DINNER)
  bank.post('/bills/:id/cancel', { bill: { ...DINNER, status: 'ended' } })
  await open('/split-bill')
  await page.getByRole('button', { name: /Dinner.*\$0\.00 of \$66\.66 paid/ }).click()
  const sheet = dialog('Dinner')
  await expect.element(sheet.getByRole('link', { name: /Sarah Johnson.*Not paid yet/ })).toBeVisible()
  await pressByKey(sheet.getByRole('button', { name: 'Cancel Unpaid Shares' }))
  await expect.element(findToast('This bill is closed')).toBeVisible()
  expect(changeRequests()).toMatchObject([{ path: `/bills/${DINNER.id}/cancel` }])

  hasBills({ ...DINNER, paidMinor: 66_66, status: 'settled' })
  emitLiveEvent({ type: 'bill' })
  await expect.element(page.getByText(/Settled/).first()).toBeInTheDocument()
})

test('a payment is split with others from its own screen', async () => {
  const { transactions } = await bank.recorded('/transactions')
  const payment = transactions.find(({ amountMinor, category }) => amountMinor < 0 && category === 'food')
  bank.post('/bills', { bill: DINNER })
  await open(`/transaction-detail?id=${payment?.id}`)
  await page.getByRole('link', { name: 'Split', exact: true }).click()
  await expect.element(description).not.toHaveValue('')
  await addPerson('Ben', 'ben@example.com')
  await button.click()
  await expect.element(findToast(/^Bill split!/)).toBeVisible()
  expect(changeRequests()).toMatchObject([
    {
      json: {
        totalMinor: -(payment?.amountMinor ?? NaN),
        transactionId: payment?.id,
        people: [{ name: 'Ben', address: 'ben@example.com' }],
      },
    },
  ])
})

describe('a group', () => {
  const ME = '6f9d7a10-5a43-4f1c-9d7b-2f6d1c5b0a01'
  const BEN = '6f9d7a10-5a43-4f1c-9d7b-2f6d1c5b0a02'
  const me = { id: ME, name: 'Ann Lee', initials: 'AL', own: true, joined: true, balanceMinor: 0 }
  const ben = { id: BEN, name: 'Ben', initials: 'B', own: false, joined: true, balanceMinor: 0 }
  const FLAT: GroupDetail = {
    id: 'c7b0a0c2-0b7e-4d11-8f5e-7a3f2d9e4c01',
    name: 'Flat',
    asset: 'USD',
    joined: true,
    balanceMinor: 0,
    members: [me, ben],
    bills: [],
    settleUp: [],
    asked: [],
  }
  const ELECTRICITY = {
    id: 'd0e1a0c2-0b7e-4d11-8f5e-7a3f2d9e4c02',
    paidBy: ME,
    description: 'Electricity',
    totalMinor: 60_00,
    asset: 'USD' as const,
    ownShareMinor: 30_00,
    createdAt: '2026-08-28T08:00:00.000Z',
  }
  const OWED: GroupDetail = {
    ...FLAT,
    balanceMinor: 30_00,
    members: [
      { ...me, balanceMinor: 30_00 },
      { ...ben, balanceMinor: -30_00 },
    ],
    bills: [ELECTRICITY],
    settleUp: [{ fromId: BEN, toId: ME, amountMinor: 30_00 }],
  }
  const sheet = dialog('Flat')

  /** Mocks the bank's responses for this group. */
  function mockGroup(group: GroupDetail | null): { group: GroupDetail } {
    const groups: Group[] = group ? [group] : []
    bank.get('/bill-groups', { groups })
    if (group) bank.get('/bill-groups/:id', { group })
    return { group: group ?? FLAT }
  }

  test('is created, lists its members’ debts, settles up and is left', async () => {
    mockGroup(null)
    bank.post('/bill-groups', () => mockGroup({ ...FLAT, members: [me, { ...ben, joined: false }] }))
    bank.post('/bill-groups/:id/bills', () => mockGroup(OWED))
    bank.post('/bill-groups/:id/settle', () =>
      mockGroup({ ...OWED, asked: [{ fromId: BEN, toId: ME, amountMinor: 30_00, requestId: 'r', paidMinor: 0 }] }),
    )
    bank.post('/bill-groups/:id/leave', refusalAnswer('group_unsettled'))
    await open('/split-bill')
    await page.getByRole('button', { name: 'New Group' }).click()
    await dialog('New group').getByLabelText('Name').fill('Flat')
    await addPerson('Ben', 'ben@example.com')
    await pressByKey(page.getByRole('button', { name: 'Create Group' }))
    await expect.element(findToast('Flat is ready. Everyone has been invited.')).toBeVisible()
    await expect.element(sheet.getByText('Invited')).toBeVisible()

    mockGroup(FLAT)
    emitLiveEvent({ type: 'bill' })
    await expect.element(sheet.getByText('Invited')).not.toBeInTheDocument()
    await pressByKey(sheet.getByRole('button', { name: 'Add a Bill I Paid' }))
    await sheet.getByLabelText('Total Amount').fill('60')
    await sheet.getByLabelText('Description (optional)').fill('Electricity')
    await pressByKey(sheet.getByRole('button', { name: 'Add Bill' }))
    await expect.element(sheet.getByText("You're owed $30.00")).toBeVisible()
    await pressByKey(sheet.getByRole('button', { name: 'Settle Up' }))
    await expect.element(findToast("We've sent a request to everyone who owes money")).toBeVisible()
    await pressByKey(sheet.getByRole('button', { name: 'Leave Group' }))
    await expect.element(findToast('Please settle up before you leave this group')).toBeVisible()

    bank.post('/bill-groups/:id/leave', () => {
      mockGroup(null)
      return {}
    })
    await pressByKey(sheet.getByRole('button', { name: 'Leave Group' }))
    await expect.element(findToast('You left Flat')).toBeVisible()
    await expect.element(sheet).not.toBeInTheDocument()
    // Back has to leave the history entry of the sheet before the next step.
    await expect.poll(() => (history.state as { sheets?: number }).sheets ?? 0).toBe(0)
    expect(changeRequests().map(({ path, json }) => [path.replace(FLAT.id, ':id'), json])).toEqual([
      ['/bill-groups', { name: 'Flat', people: [{ name: 'Ben', address: 'ben@example.com' }] }],
      [
        '/bill-groups/:id/bills',
        {
          totalMinor: 60_00,
          asset: 'USD',
          division: 'equal',
          description: 'Electricity',
          people: [{ memberId: BEN }],
        },
      ],
      ...['settle', 'leave', 'leave'].map((action) => [`/bill-groups/:id/${action}`, null]),
    ])
  })

  test('is joined by an invited person, who sees their debt', async () => {
    mockGroup({ ...FLAT, joined: false, members: [{ ...me, joined: false }, ben] })
    bank.post('/bill-groups/:id/join', () => mockGroup(FLAT))
    await open('/split-bill')
    await page.getByRole('button', { name: /Flat.*You're invited/ }).click()
    await pressByKey(sheet.getByRole('button', { name: 'Join' }))
    await expect.element(findToast('You joined Flat')).toBeVisible()
    await expect.element(sheet.getByText('All settled').first()).toBeVisible()
    mockGroup({ ...FLAT, balanceMinor: -30_00, members: [{ ...me, balanceMinor: -30_00 }, ben] })
    emitLiveEvent({ type: 'bill' })
    await expect.element(sheet.getByText('You owe $30.00')).toBeVisible()
  })

  test('names a former member as the payee after a bill is removed', async () => {
    const formerMemberId = '6f9d7a10-5a43-4f1c-9d7b-2f6d1c5b0a03'
    mockGroup({ ...OWED, members: [me] })
    bank.post('/bill-groups/:id/bills/:billId/remove', () =>
      mockGroup({ ...FLAT, members: [me], settleUp: [{ fromId: ME, toId: formerMemberId, amountMinor: 30_00 }] }),
    )
    await open('/split-bill')
    await page.getByRole('button', { name: /Flat/ }).click()
    await pressByKey(sheet.getByRole('button', { name: 'Remove This Bill' }))
    await expect.element(sheet.getByText('You pay Someone who left $30.00')).toBeVisible()
    expect(changeRequests()).toMatchObject([{ path: `/bill-groups/${FLAT.id}/bills/${ELECTRICITY.id}/remove` }])
    await userEvent.keyboard('{Escape}')
    await expect.element(sheet).not.toBeInTheDocument()
  })
})
