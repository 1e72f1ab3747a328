import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { Mandate } from '#contract/direct-debits.ts'
import type { LinkedAccount } from '#contract/linked-accounts.ts'
import { address, open, press, toast } from '#web/test/app.tsx'
import { bank, changes, refused } from '#web/test/bank.ts'

const sheet = page.getByRole('dialog')
const inSheet = (name: string | RegExp) => sheet.getByRole('button', { name, exact: true })
const heading = (title: string) => page.getByRole('main').getByRole('heading', { name: title, exact: true })
/** What the rows of a section say. */
const rowsOf = (title: string) =>
  [...(heading(title).query()?.closest('section')?.querySelectorAll('li') ?? [])].map(({ textContent }) => textContent)
const sent = () => changes().map(({ method, path, json }) => [`${method} ${path}`, json])

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

/** The bank has this account beside those of the story, or not, and answers so. */
async function links(account: LinkedAccount | null): Promise<{ account: LinkedAccount }> {
  const known = await bank.recorded('/linked-accounts')
  bank.get('/linked-accounts', { ...known, accounts: [...known.accounts, ...(account ? [account] : [])] })
  return { account: account ?? HARBOR }
}

test('cards and what is linked are shown, each with its way to manage it', async () => {
  await open('/settings')
  await page.getByRole('link', { name: /^Payment Methods/ }).click()
  await expect
    .poll(() => rowsOf('Cards')[0])
    .toMatch(/Main Card.*Debit card •••• \d{4}.*Expires 12\/28.*Primary Payment Method/)
  const [, second, ...others] = rowsOf('Cards')
  expect(second).toMatch(/Credit card •••• \d{4}.*Expires 12\/28/)
  expect([second, ...others].join('')).not.toContain('Primary Payment Method')
  await expect
    .poll(() => rowsOf('Linked Accounts'))
    .toEqual([expect.stringMatching(/Pocket Wallet.*@example\.com/), expect.stringMatching(/Paylane.*Connected/)])
  expect(page.getByRole('button', { name: /^Manage / }).elements()).toHaveLength(2)
  await page.getByRole('link', { name: 'Add Card' }).click()
  await expect.poll(address).toBe('/cards')
})

test('an account is linked, verified by its deposits in three tries, paid out to and removed', async () => {
  const [transaction] = (await bank.recorded('/transactions')).transactions
  if (!transaction) throw new Error('There is no transaction')
  bank.post('/linked-accounts', () => links(HARBOR))
  await open('/payment-methods')
  await page.getByRole('button', { name: 'Link New Account' }).click()
  await inSheet('Link Account').click()
  await expect.element(toast('Please fill in all fields')).toBeVisible()
  await sheet.getByLabelText('Bank Name').fill('Harbor Bank')
  await sheet.getByLabelText('Routing Number').fill('011000016')
  await sheet.getByLabelText('Account Number').fill('1234 567 890')
  bank.post('/linked-accounts', refused('routing_number_invalid', 'routingNumber'))
  await press(inSheet('Link Account'))
  await expect.element(toast('Please enter a valid routing number')).toBeVisible()
  await sheet.getByLabelText('Routing Number').fill('011000015')
  bank.post('/linked-accounts', () => links(HARBOR))
  await press(inSheet('Link Account'))
  await expect.element(toast('Harbor Bank linked')).toBeVisible()
  await expect.element(toast(/We've sent two small deposits to it/)).toBeVisible()
  await expect.element(sheet).not.toBeInTheDocument()
  await expect.poll(() => rowsOf('Linked Accounts')[2]).toMatch(/•••• 7890.*Not verified yet/)

  const manage = page.getByRole('button', { name: 'Manage Harbor Bank' })
  await press(manage)
  await sheet.getByLabelText('First Deposit').fill('0.99')
  await sheet.getByLabelText('Second Deposit').fill('1.00')
  bank.post('/linked-accounts/:id/verification', () => {
    void links({ ...HARBOR, triesLeft: 2 })
    return refused('deposits_wrong')
  })
  await press(inSheet('Verify'))
  await expect.element(toast("These amounts don't match. Please check them and try again")).toBeVisible()
  await expect.element(sheet).toMatchTextContent('You have 2 tries left.')
  await userEvent.keyboard('{Escape}')
  const verified: LinkedAccount = { ...HARBOR, status: 'verified', expiresAt: null }
  bank.post('/linked-accounts/:id/verification', () => links(verified))
  await press(manage)
  await sheet.getByLabelText('First Deposit').fill('0.12')
  await sheet.getByLabelText('Second Deposit').fill('0.07')
  await press(inSheet('Verify'))
  await expect.element(toast('Harbor Bank is verified')).toBeVisible()

  await press(inSheet('Move Money Out'))
  bank.post('/linked-accounts/:id/payouts', refused('insufficient_funds'))
  await sheet.getByLabelText('Amount').fill('99999')
  await press(inSheet('Move Money'))
  await expect.element(sheet.getByText(NOT_ENOUGH)).toBeVisible()
  await expect.poll(() => sent().at(-1)).toEqual([`POST ${path}/payouts`, { amountMinor: 99_999_00, asset: 'USD' }])
  await expect.poll(() => document.querySelector('[data-sonner-toast]')?.textContent).toBe(NOT_ENOUGH)
  const before = sent().length
  bank.post('/linked-accounts/:id/payouts', { transaction, settlesAt: '2026-08-31T21:00:00.000Z' })
  await sheet.getByLabelText('Amount').fill('1000')
  await press(inSheet('Move Money'))
  await expect.element(toast('$1,000.00 is on its way to Harbor Bank')).toBeVisible()
  await expect.element(toast(/It arrives by Monday, August 31\./)).toBeVisible()
  await expect.element(sheet).not.toBeInTheDocument()
  bank.delete('/linked-accounts/:id', async () => {
    await links(null)
    return {}
  })
  await press(manage)
  await press(inSheet('Remove Account'))
  await press(inSheet('Remove'))
  await expect.element(toast('Harbor Bank removed')).toBeVisible()
  await expect.poll(() => rowsOf('Linked Accounts').length).toBe(2)
  expect(sent().slice(before)).toEqual([
    [`POST ${path}/payouts`, { amountMinor: 1000_00, asset: 'USD' }],
    [`DELETE ${path}`, null],
  ])
  expect(sent()).toContainEqual([`POST ${path}/verification`, { firstMinor: 12, secondMinor: 7 }])
})

test('direct debits are claimed back, approved and cancelled', async () => {
  const [transaction] = (await bank.recorded('/transactions')).transactions
  if (!transaction) throw new Error('There is no transaction')
  const known = (await bank.recorded('/mandates')).mandates
  let mandates: Mandate[] = [...known]
  bank.get('/mandates', () => ({ mandates }))
  const named = (name: string) => mandates.find(({ billerName }) => billerName === name)
  const becomes = (id: string | undefined, change: (one: Mandate) => Mandate) => {
    mandates = mandates.map((one) => (one.id === id ? change(one) : one))
    const changed = mandates.find((one) => one.id === id)
    if (!changed) throw new Error('There is no such mandate')
    return { mandate: changed }
  }
  await open('/payment-methods')
  await expect
    .poll(() => rowsOf('Direct Debits'))
    .toEqual([
      expect.stringMatching(/Brightwater Energy.*\$145\.00 on Sep 8/),
      expect.stringMatching(/Fernline Broadband.*\$65\.00 on Sep 14/),
    ])
  const energy = named('Brightwater Energy')
  bank.post('/direct-debits/:id/claim-back', ({ params }) => {
    becomes(energy?.id, (one) => ({
      ...one,
      past: one.past.map((debit) => (debit.id === params['id'] ? { ...debit, status: 'claimed_back' } : debit)),
    }))
    return { transaction }
  })
  await page.getByRole('button', { name: /Brightwater Energy/ }).click()
  await expect.poll(() => sheet.getByRole('button', { name: /^Claim back/ }).elements().length).toBe(2)
  await press(inSheet('Claim back $145.00, Aug 5'))
  await press(inSheet('Claim Back'))
  await expect.element(toast('$145.00 is back in your account')).toBeVisible()
  await expect.element(sheet.getByText(/Claimed back/)).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(sheet).not.toBeInTheDocument()

  const broadband = named('Fernline Broadband')
  bank.post('/mandates/:id/cancel', ({ params }) =>
    becomes(params['id'], (one) => ({ ...one, status: 'cancelled', upcoming: [] })),
  )
  await press(page.getByRole('button', { name: /Fernline Broadband/ }))
  await press(inSheet('Cancel Direct Debit'))
  await press(inSheet('Cancel Direct Debit'))
  await expect.element(toast('Fernline Broadband can no longer collect')).toBeVisible()
  await expect.element(sheet.getByText('Status')).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.poll(() => rowsOf('Direct Debits').find((row) => row.includes('Fernline'))).toContain('Cancelled')
  expect(sent().at(-1)).toEqual([`POST /mandates/${broadband?.id}/cancel`, null])
})

test('a biller who asks is approved', async () => {
  const [known] = (await bank.recorded('/mandates')).mandates
  if (!known) throw new Error('There is no mandate')
  const asking: Mandate = { ...known, status: 'requested', upcoming: [], past: [] }
  bank.get('/mandates', { mandates: [asking] })
  bank.post('/mandates/:id/decision', () => {
    bank.get('/mandates', { mandates: [known] })
    return { mandate: known }
  })
  await open('/payment-methods')
  await press(page.getByRole('button', { name: /^Approve / }))
  await expect.element(toast(/can now collect by direct debit/)).toBeVisible()
  expect(sent()).toEqual([[`POST /mandates/${known.id}/decision`, { decision: 'approve' }]])
})
