import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { readAddress, open, pressByKey } from '#web/test/app.tsx'
import { bank, changeRequests, delayedAnswer, refusalAnswer } from '#web/test/bank.ts'

const rows = page.getByRole('main').getByRole('listitem')
const switchNamed = (name: string) => page.getByRole('switch', { name, exact: true })

/** Mocks a bank that marks notices as read. */
async function mockMarking(): Promise<void> {
  const recording = await bank.recorded('/notifications')
  bank.post('/notifications/read', () => {
    const readAt = new Date().toISOString()
    bank.get('/notifications', { ...recording, notices: recording.notices.map((notice) => ({ ...notice, readAt })) })
    return { unread: 0 }
  })
}

test('the list has states for empty, loading and failed', async () => {
  const go = Promise.withResolvers<void>()
  bank.get('/notifications', () => delayedAnswer(go.promise, { notices: [], nextCursor: null }))
  await open('/notifications')
  await expect.element(page.getByRole('status').getByText('Loading notifications')).toBeInTheDocument()
  go.resolve()
  await expect.element(page.getByRole('heading', { name: "You're all caught up" })).toBeVisible()
  await expect.element(page.getByText("We'll let you know here when something happens.")).toBeVisible()
})

test('a list that does not load shows an error, and is shown when it can be loaded', async () => {
  const recording = await bank.recorded('/notifications')
  await mockMarking()
  bank.get('/notifications', refusalAnswer('too_many_requests'))
  await open('/notifications')
  await expect.element(page.getByRole('alert')).toMatchTextContent('Too many attempts')
  bank.get('/notifications', recording)
  await pressByKey(page.getByRole('button', { name: 'Try Again' }))
  await expect.poll(() => rows.elements().length).toBe(4)
  await expect.poll(changeRequests).toHaveLength(1)
})

test('each switch keeps its own state: one that is off stays off under a master switch that is off', async () => {
  let preferences = await bank.recorded('/notifications/preferences')
  bank.get('/notifications/preferences', () => preferences)
  bank.patch('/notifications/preferences', ({ json: { topics, ...above } }) => {
    preferences = Object.assign({}, preferences, above, { topics: Object.assign({}, preferences.topics, topics) })
    return preferences
  })
  await mockMarking()
  await open('/notifications')
  await page.getByRole('link', { name: 'Notification Preferences' }).click()
  await expect.poll(readAddress).toBe('/notifications/preferences')
  await expect.element(switchNamed('Card Payments')).toBeChecked()
  await expect.element(page.getByRole('main')).toMatchTextContent('Always on')
  await switchNamed('Card Payments').click()
  await expect.element(switchNamed('Card Payments')).not.toBeChecked()
  await expect.poll(() => changeRequests().at(-1)?.json).toEqual({ topics: { cards: false } })

  await switchNamed('Transaction Alerts').click()
  for (const name of ['Money In', 'Money Out', 'Card Payments']) await expect.element(switchNamed(name)).toBeDisabled()
  await expect.element(switchNamed('Money In')).not.toBeChecked()
  await expect.element(switchNamed('News')).toBeEnabled()
  await expect.poll(() => changeRequests().at(-1)?.json).toEqual({ transactionAlerts: false })
  await switchNamed('Transaction Alerts').click()
  await expect.element(switchNamed('Money In')).toBeChecked()
  // A topic that was switched off separately stays off.
  await expect.element(switchNamed('Card Payments')).not.toBeChecked()
  await expect.poll(() => changeRequests().at(-1)?.json).toEqual({ transactionAlerts: true })
})

test('with all notices off, each kind is off', async () => {
  const recording = await bank.recorded('/notifications/preferences')
  bank.get('/notifications/preferences', { ...recording, notifications: false })
  await open('/notifications/preferences')
  await expect.element(switchNamed('All Notifications')).not.toBeChecked()
  for (const name of ['Transaction Alerts', 'Money In', 'Savings', 'News'])
    await expect.element(switchNamed(name)).toBeDisabled()
})

test('the four notices of the specification have their times, and opening the list marks them as read', async () => {
  const bell = page.getByRole('banner').getByRole('link', { name: /^Notifications/ })
  await mockMarking()
  await open('/dashboard')
  await expect.element(bell).toHaveAccessibleName('Notifications, 4 unread')
  await expect.element(bell).toHaveTextContent('4')
  await expect.poll(() => document.title).toBe('(4) Home · Alder')
  await bell.click()
  await expect.poll(readAddress).toBe('/notifications')
  const rowTexts = () => rows.elements().map(({ textContent }) => textContent)
  await expect
    .poll(rowTexts)
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
  await expect
    .poll(() => changeRequests().map(({ path, json }) => [path, json]))
    .toEqual([['/notifications/read', { upTo }]])
  await expect.poll(() => document.title).toBe('Notifications · Alder')
  // New notices stay marked as unread until the next visit.
  expect(rowTexts().filter((text) => text.startsWith('Unread:'))).toHaveLength(4)
  await page.getByRole('link', { name: 'Back' }).click()
  await expect.element(bell).toHaveAccessibleName('Notifications')
})

test('notices that were read before are not marked as new', async () => {
  const recording = await bank.recorded('/notifications')
  const readAt = new Date().toISOString()
  bank.get('/notifications', { ...recording, notices: recording.notices.map((notice) => ({ ...notice, readAt })) })
  await open('/notifications')
  await expect.poll(() => rows.elements().length).toBe(4)
  expect(page.getByText('Unread:').query()).toBeNull()
})
