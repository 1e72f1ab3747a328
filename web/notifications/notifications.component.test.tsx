import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { address, open, press } from '#web/test/app.tsx'
import { bank, changes, later, refused } from '#web/test/bank.ts'

const rows = page.getByRole('main').getByRole('listitem')
const switchNamed = (name: string) => page.getByRole('switch', { name, exact: true })

/** A bank that marks notices as read. */
async function marks(): Promise<void> {
  const known = await bank.recorded('/notifications')
  bank.post('/notifications/read', () => {
    const readAt = new Date().toISOString()
    bank.get('/notifications', { ...known, notices: known.notices.map((notice) => ({ ...notice, readAt })) })
    return { unread: 0 }
  })
}

test('an empty list, one that is on its way, and one that does not come', async () => {
  const go = Promise.withResolvers<void>()
  bank.get('/notifications', () => later(go.promise, { notices: [], nextCursor: null }))
  await open('/notifications')
  await expect.element(page.getByRole('status').getByText('Loading notifications')).toBeInTheDocument()
  go.resolve()
  await expect.element(page.getByRole('heading', { name: "You're all caught up" })).toBeVisible()
  await expect.element(page.getByText("We'll let you know here when something happens.")).toBeVisible()
})

test('a list that does not come says so, and is there once it can be had', async () => {
  const known = await bank.recorded('/notifications')
  await marks()
  bank.get('/notifications', refused('too_many_requests'))
  await open('/notifications')
  await expect.element(page.getByRole('alert')).toMatchTextContent('Too many attempts')
  bank.get('/notifications', known)
  await press(page.getByRole('button', { name: 'Try Again' }))
  await expect.poll(() => rows.elements().length).toBe(4)
  await expect.poll(changes).toHaveLength(1)
})

test('each switch means what it says: one that is off by itself stays so under one that is off for all', async () => {
  let preferences = await bank.recorded('/notifications/preferences')
  bank.get('/notifications/preferences', () => preferences)
  bank.patch('/notifications/preferences', ({ json: { topics, ...above } }) => {
    preferences = Object.assign({}, preferences, above, { topics: Object.assign({}, preferences.topics, topics) })
    return preferences
  })
  await marks()
  await open('/notifications')
  await page.getByRole('link', { name: 'Notification Preferences' }).click()
  await expect.poll(address).toBe('/notifications/preferences')
  await expect.element(switchNamed('Card Payments')).toBeChecked()
  await expect.element(page.getByRole('main')).toMatchTextContent('Always on')
  await switchNamed('Card Payments').click()
  await expect.element(switchNamed('Card Payments')).not.toBeChecked()
  await expect.poll(() => changes().at(-1)?.json).toEqual({ topics: { cards: false } })

  await switchNamed('Transaction Alerts').click()
  for (const name of ['Money In', 'Money Out', 'Card Payments']) await expect.element(switchNamed(name)).toBeDisabled()
  await expect.element(switchNamed('Money In')).not.toBeChecked()
  await expect.element(switchNamed('News')).toBeEnabled()
  await expect.poll(() => changes().at(-1)?.json).toEqual({ transactionAlerts: false })
  await switchNamed('Transaction Alerts').click()
  await expect.element(switchNamed('Money In')).toBeChecked()
  // What was off by itself stays so.
  await expect.element(switchNamed('Card Payments')).not.toBeChecked()
  await expect.poll(() => changes().at(-1)?.json).toEqual({ transactionAlerts: true })
})

test('where all notices are off, so is each kind', async () => {
  const known = await bank.recorded('/notifications/preferences')
  bank.get('/notifications/preferences', { ...known, notifications: false })
  await open('/notifications/preferences')
  await expect.element(switchNamed('All Notifications')).not.toBeChecked()
  for (const name of ['Transaction Alerts', 'Money In', 'Savings', 'News'])
    await expect.element(switchNamed(name)).toBeDisabled()
})

test('the four notices of the story come with their times, and to have opened them is to have read them', async () => {
  const bell = page.getByRole('banner').getByRole('link', { name: /^Notifications/ })
  await marks()
  await open('/dashboard')
  await expect.element(bell).toHaveAccessibleName('Notifications, 4 unread')
  await expect.element(bell).toHaveTextContent('4')
  await expect.poll(() => document.title).toBe('(4) Dashboard · Alder')
  await bell.click()
  await expect.poll(address).toBe('/notifications')
  const said = () => rows.elements().map(({ textContent }) => textContent)
  await expect
    .poll(said)
    .toEqual([
      expect.stringMatching(/^Unread: Card payment.+You paid \$5\.60 at Copper Kettle Coffee\.$/),
      'Unread: Investment updateYesterdayYou can now choose from three portfolios, from low to high risk.',
      'Unread: Payment received3 days agoYou received $3,500.00 from Northwind Studio.',
      "Unread: New featureLast weekSend money to anyone, even if they don't have an Alder account yet.",
    ])
  for (const day of ['Today', 'Yesterday', 'Tuesday, August 25', 'Thursday, August 20'])
    await expect.element(page.getByRole('heading', { level: 2, name: day })).toBeVisible()
  const { notices } = await bank.recorded('/notifications')
  const upTo = notices
    .map(({ id }) => id)
    .toSorted()
    .at(-1)
  await expect.poll(() => changes().map(({ path, json }) => [path, json])).toEqual([['/notifications/read', { upTo }]])
  await expect.poll(() => document.title).toBe('Notifications · Alder')
  // What was new goes on saying so until somebody comes again.
  expect(said().filter((text) => text.startsWith('Unread:'))).toHaveLength(4)
  await page.getByRole('link', { name: 'Back' }).click()
  await expect.element(bell).toHaveAccessibleName('Notifications')
})

test('what was read before is not new', async () => {
  const known = await bank.recorded('/notifications')
  const readAt = new Date().toISOString()
  bank.get('/notifications', { ...known, notices: known.notices.map((notice) => ({ ...notice, readAt })) })
  await open('/notifications')
  await expect.poll(() => rows.elements().length).toBe(4)
  expect(page.getByText('Unread:').query()).toBeNull()
})
