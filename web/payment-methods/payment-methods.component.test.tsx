import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { Mandate } from '#contract/direct-debits.ts'
import type { LinkedAccount } from '#contract/linked-accounts.ts'
import { readAddress, open, pressByKey, findToast } from '#web/test/app.tsx'
import { bank, changeRequests, refusalAnswer } from '#web/test/bank.ts'

const sheet = page.getByRole('dialog')
const inSheet = (name: string | RegExp) => sheet.getByRole('button', { name, exact: true })
const heading = (title: string) => page.getByRole('main').getByRole('heading', { name: title, exact: true })
/** Returns the text of each row in a section. */
const rowsOf = (title: string) =>
  [...(heading(title).query()?.closest('section')?.querySelectorAll('li') ?? [])].map(({ textContent }) => textContent)
const sentRequests = () => changeRequests().map(({ method, path, json }) => [`${method} ${path}`, json])

const HARBOR: LinkedAccount = {
  id: 'f1a5c3de-1c5e-4f0c-8a55-0c7a7f3b9e01',
  kind: 'bank',
  name: 'Harbor Bank',
  holderName: 'Ann Lee',
  lastFour: '7890',
  email: null,
  expiresOn: null,
  status: 'pending',
  triesLeft: 3,
  expiresAt: '2026-09-07T08:00:00.000Z',
}
const NOT_ENOUGH = "You don't have enough money for this"
const path = `/linked-accounts/${HARBOR.id}`

/** Mocks the bank's linked accounts: those of the sample and this one, if given. */
async function links(account: LinkedAccount | null): Promise<{ account: LinkedAccount }> {
  const recording = await bank.recorded('/linked-accounts')
  bank.get('/linked-accounts', { ...recording, accounts: [...recording.accounts, ...(account ? [account] : [])] })
  return { account: account ?? HARBOR }
}

test('cards and linked accounts are shown, each with a link to manage it', async () => {
  await open('/settings')
  await page.getByRole('link', { name: /^Payment Methods/ }).click()
  await expect
    .poll(() => rowsOf('Cards')[0])
    .toMatch(/Main Card.*Debit card •••• \d{4}.*Expires 12\/28.*Primary Payment Method/)
  const [, secondRow, ...otherRows] = rowsOf('Cards')
  expect(secondRow).toMatch(/Credit card •••• \d{4}.*Expires 12\/28/)
  expect([secondRow, ...otherRows].join('')).not.toContain('Primary Payment Method')
  await expect
    .poll(() => rowsOf('Linked Accounts'))
    .toEqual([expect.stringMatching(/Pocket Wallet.*@example\.com/), expect.stringMatching(/Paylane.*Connected/)])
  expect(page.getByRole('button', { name: /^Manage / }).elements()).toHaveLength(2)
  await page.getByRole('link', { name: 'Add Card' }).click()
  await expect.poll(readAddress).toBe('/cards')
})

test('an account is linked, verified by its deposits in three attempts, paid out to and removed', async () => {
  const [transaction] = (await bank.recorded('/transactions')).transactions
  if (!transaction) throw new Error('There is no transaction')
  bank.post('/linked-accounts', () => links(HARBOR))
  await open('/payment-methods')
  await page.getByRole('button', { name: 'Link New Account' }).click()
  await inSheet('Link Account').click()
  await expect.element(findToast('Please fill in all fields')).toBeVisible()
  await sheet.getByLabelText('Bank Name').fill('Harbor Bank')
  await sheet.getByLabelText('Routing Number').fill('011000016')
  await sheet.getByLabelText('Account Number').fill('1234 567 890')
  bank.post('/linked-accounts', refusalAnswer('routing_number_invalid', 'routingNumber'))
  await pressByKey(inSheet('Link Account'))
  await expect.element(findToast('Please enter a valid routing number')).toBeVisible()
  await sheet.getByLabelText('Routing Number').fill('011000015')
  bank.post('/linked-accounts', () => links(HARBOR))
  await pressByKey(inSheet('Link Account'))
  await expect.element(findToast('Harbor Bank linked')).toBeVisible()
  await expect.element(findToast(/We've sent it two small deposits/)).toBeVisible()
  await expect.element(sheet).not.toBeInTheDocument()
  await expect.poll(() => rowsOf('Linked Accounts')[2]).toMatch(/•••• 7890.*Not verified yet/)

  const manage = page.getByRole('button', { name: 'Manage Harbor Bank' })
  await pressByKey(manage)
  await sheet.getByLabelText('First Deposit').fill('0.99')
  await sheet.getByLabelText('Second Deposit').fill('1.00')
  bank.post('/linked-accounts/:id/verification', () => {
    void links({ ...HARBOR, triesLeft: 2 })
    return refusalAnswer('deposits_wrong')
  })
  await pressByKey(inSheet('Verify'))
  await expect.element(findToast("These amounts don't match. Please check them and try again")).toBeVisible()
  await expect.element(sheet).toMatchTextContent('You have 2 tries left.')
  await userEvent.keyboard('{Escape}')
  const verifiedAccount: LinkedAccount = { ...HARBOR, status: 'verified', expiresAt: null }
  bank.post('/linked-accounts/:id/verification', () => links(verifiedAccount))
  await pressByKey(manage)
  await sheet.getByLabelText('First Deposit').fill('0.12')
  await sheet.getByLabelText('Second Deposit').fill('0.07')
  await pressByKey(inSheet('Verify'))
  await expect.element(findToast('Harbor Bank is verified')).toBeVisible()

  await pressByKey(inSheet('Move Money Out'))
  bank.post('/linked-accounts/:id/payouts', refusalAnswer('insufficient_funds'))
  await sheet.getByLabelText('Amount').fill('99999')
  await pressByKey(inSheet('Move Money'))
  await expect.element(sheet.getByText(NOT_ENOUGH)).toBeVisible()
  await expect
    .poll(() => sentRequests().at(-1))
    .toEqual([`POST ${path}/payouts`, { amountMinor: 99_999_00, asset: 'USD' }])
  await expect.poll(() => document.querySelector('[data-sonner-toast]')?.textContent).toBe(NOT_ENOUGH)
  const countBefore = sentRequests().length
  bank.post('/linked-accounts/:id/payouts', { transaction, settlesAt: '2026-08-31T21:00:00.000Z' })
  await sheet.getByLabelText('Amount').fill('1000')
  await pressByKey(inSheet('Move Money'))
  await expect.element(findToast('$1,000.00 is on its way to Harbor Bank')).toBeVisible()
  await expect.element(findToast(/It arrives by Monday, August 31\./)).toBeVisible()
  await expect.element(sheet).not.toBeInTheDocument()
  bank.delete('/linked-accounts/:id', async () => {
    await links(null)
    return {}
  })
  await pressByKey(manage)
  await pressByKey(inSheet('Remove Account'))
  await pressByKey(inSheet('Remove'))
  await expect.element(findToast('Harbor Bank removed')).toBeVisible()
  await expect.poll(() => rowsOf('Linked Accounts').length).toBe(2)
  expect(sentRequests().slice(countBefore)).toEqual([
    [`POST ${path}/payouts`, { amountMinor: 1000_00, asset: 'USD' }],
    [`DELETE ${path}`, null],
  ])
  expect(sentRequests()).toContainEqual([`POST ${path}/verification`, { firstMinor: 12, secondMinor: 7 }])
})

test('direct debits are returned, approved and canceled', async () => {
  const [transaction] = (await bank.recorded('/transactions')).transactions
  if (!transaction) throw new Error('There is no transaction')
  const recordedMandates = (await bank.recorded('/mandates')).mandates
  let mandates: Mandate[] = [...recordedMandates]
  bank.get('/mandates', () => ({ mandates }))
  const findMandate = (name: string) => mandates.find(({ billerName }) => billerName === name)
  const becomes = (id: string | undefined, change: (mandate: Mandate) => Mandate) => {
    mandates = mandates.map((mandate) => (mandate.id === id ? change(mandate) : mandate))
    const changedMandate = mandates.find((mandate) => mandate.id === id)
    if (!changedMandate) throw new Error('There is no such mandate')
    return { mandate: changedMandate }
  }
  await open('/payment-methods')
  await expect
    .poll(() => rowsOf('Direct Debits'))
    .toEqual([
      expect.stringMatching(/Brightwater Energy.*\$145\.00 on Sep 8/),
      expect.stringMatching(/Fernline Broadband.*\$65\.00 on Sep 14/),
    ])
  const energy = findMandate('Brightwater Energy')
  bank.post('/direct-debits/:id/claim-back', ({ params }) => {
    becomes(energy?.id, (mandate) => ({
      ...mandate,
      past: mandate.past.map((debit) => (debit.id === params['id'] ? { ...debit, status: 'claimed_back' } : debit)),
    }))
    return { transaction }
  })
  await page.getByRole('button', { name: /Brightwater Energy/ }).click()
  await expect.poll(() => sheet.getByRole('button', { name: /^Claim Back/ }).elements().length).toBe(2)
  await pressByKey(inSheet('Claim Back $145.00, Aug 5'))
  await pressByKey(inSheet('Claim Back'))
  await expect.element(findToast('$145.00 is back in your account')).toBeVisible()
  await expect.element(sheet.getByText(/Claimed back/)).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(sheet).not.toBeInTheDocument()

  const broadband = findMandate('Fernline Broadband')
  bank.post('/mandates/:id/cancel', ({ params }) =>
    becomes(params['id'], (mandate) => ({ ...mandate, status: 'cancelled', upcoming: [] })),
  )
  await pressByKey(page.getByRole('button', { name: /Fernline Broadband/ }))
  await pressByKey(inSheet('Cancel Direct Debit'))
  await pressByKey(inSheet('Cancel Direct Debit'))
  await expect.element(findToast('Fernline Broadband can no longer collect')).toBeVisible()
  await expect.element(sheet.getByText('Status')).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.poll(() => rowsOf('Direct Debits').find((row) => row.includes('Fernline'))).toContain('Canceled')
  expect(sentRequests().at(-1)).toEqual([`POST /mandates/${broadband?.id}/cancel`, null])
})

test('the mandate of a biller is approved', async () => {
  const [recordedMandate] = (await bank.recorded('/mandates')).mandates
  if (!recordedMandate) throw new Error('There is no mandate')
  const requestedMandate: Mandate = { ...recordedMandate, status: 'requested', upcoming: [], past: [] }
  bank.get('/mandates', { mandates: [requestedMandate] })
  bank.post('/mandates/:id/decision', () => {
    bank.get('/mandates', { mandates: [recordedMandate] })
    return { mandate: recordedMandate }
  })
  await open('/payment-methods')
  await pressByKey(page.getByRole('button', { name: /^Approve / }))
  await expect.element(findToast(/can now collect by direct debit/)).toBeVisible()
  expect(sentRequests()).toEqual([[`POST /mandates/${recordedMandate.id}/decision`, { decision: 'approve' }]])
})
