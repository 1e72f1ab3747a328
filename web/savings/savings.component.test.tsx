import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { Goal } from '#contract/savings.ts'
import { readAddress, open, pressByKey, findToast } from '#web/test/app.tsx'
import { bank, changeRequests, refusalAnswer } from '#web/test/bank.ts'

const card = (name: string) => page.getByRole('main').getByRole('region', { name })
const sheet = page.getByRole('dialog')
const inSheet = (name: string | RegExp) => sheet.getByRole('button', { name })
const manage = (name: string) => pressByKey(page.getByRole('button', { name: `Manage ${name}` }))
/** Returns the bank's response to a move that leaves `savedMinor` in the goal. */
const moves = (savedMinor: number) => ({ amountMinor: 1, asset: 'USD' as const, savedMinor })

/** Mocks the bank's goals with a changed or new goal. */
async function mockGoal(name: string, changes: Partial<Goal>): Promise<Goal> {
  const recording = await bank.recorded('/goals')
  const [first] = recording.goals
  if (!first) throw new Error('There is no goal')
  const isNew = !recording.goals.some((goal) => goal.name === name)
  const goal = {
    ...(recording.goals.find((candidate) => candidate.name === name) ?? { ...first, id: 'new', name }),
    ...changes,
  }
  const goals = recording.goals.map((candidate) => (candidate.name === name ? goal : candidate))
  bank.get('/goals', { ...recording, goals: isNew ? [...goals, goal] : goals })
  return goal
}

test('shows the three goals, their total and their interest', async () => {
  await open('/savings')
  for (const [name, figures, percent] of [
    ['Vacation Fund', '$2,450.00 of $5,000.00', '49'],
    ['Emergency Fund', '$8,500.00 of $10,000.00', '85'],
    ['New Car', '$3,200.00 of $15,000.00', '21'],
  ] as const) {
    await expect.element(card(name)).toMatchTextContent(figures)
    await expect.element(card(name)).toMatchTextContent(`${percent}%`)
    await expect.element(card(name).getByRole('progressbar')).toHaveAttribute('aria-valuenow', percent)
  }
  await expect.element(card('Total Savings')).toMatchTextContent('$14,150.00')
  await expect.element(card('Total Savings')).toMatchTextContent('Earns 4% a year (4.07% APY)')
})

test('an amount that cannot be added is refused at its field', async () => {
  bank.post('/goals/:id/deposits', refusalAnswer('insufficient_funds'))
  await open('/savings')
  const form = page.getByRole('form', { name: 'Add to Vacation Fund' })
  const amount = form.getByLabelText('Add to Vacation Fund')
  for (const text of ['', '0', '-5', 'abc']) {
    await amount.fill('1')
    await expect.element(amount).not.toHaveAttribute('aria-invalid')
    await amount.fill(text)
    await pressByKey(form.getByRole('button', { name: 'Add' }))
    await expect.element(amount).toHaveAttribute('aria-invalid', 'true')
    await expect.element(findToast('Please enter a valid amount')).toBeVisible()
  }
  expect(changeRequests()).toEqual([])
  await amount.fill('12458.51')
  const add = form.getByRole('button', { name: 'Add' })
  await pressByKey(add)
  await expect.poll(() => changeRequests()).toHaveLength(1)
  await expect.element(add).toBeEnabled()
  await expect.element(findToast("You don't have enough money for this")).toBeVisible()
  expect(readAddress()).toBe('/savings')
})

test('a goal is created with a name, a target and a date', async () => {
  bank.post('/goals', async ({ json }) => {
    const { id } = await mockGoal(json.name, { ...json, savedMinor: 0, monthlyNeedMinor: 100_00 })
    return { id }
  })
  await open('/savings')
  await page.getByRole('button', { name: 'New Goal' }).click()
  await pressByKey(inSheet('Create Goal'))
  await expect.element(findToast('Please fill in all fields')).toBeVisible()
  await expect.element(sheet.getByLabelText('Name')).toHaveAccessibleDescription('Give your goal a name')
  await sheet.getByRole('radio', { name: 'Home' }).click()
  await sheet.getByLabelText('Name').fill('New Kitchen')
  await sheet.getByLabelText('Target', { exact: true }).fill('1200')
  await sheet.getByLabelText('Target Date (optional)').fill('2020-01-01')
  await pressByKey(inSheet('Create Goal'))
  await expect.element(findToast('Please choose a date in the future')).toBeVisible()
  await sheet.getByLabelText('Target Date (optional)').fill('2027-08-28')
  await pressByKey(inSheet('Create Goal'))
  await expect.element(findToast('New Kitchen is ready. Start saving!')).toBeVisible()
  await expect.element(card('New Kitchen')).toMatchTextContent('$100.00 a month gets you there by Aug 28, 2027')
  expect(changeRequests()).toMatchObject([
    { json: { name: 'New Kitchen', icon: 'home', targetMinor: 1_200_00, targetOn: '2027-08-28', lockedUntil: null } },
  ])
})

test('money is added to a goal, moved monthly, rounded up and withdrawn', async () => {
  const kitchen = { targetMinor: 1_200_00, savedMinor: 0, targetOn: '2027-08-28', monthlyNeedMinor: 100_00 }
  const { id } = await mockGoal('New Kitchen', kitchen)
  await open('/savings')
  bank.post('/goals/:id/deposits', async () => {
    await mockGoal('New Kitchen', { ...kitchen, savedMinor: 300_00, monthlyNeedMinor: 75_00 })
    return moves(300_00)
  })
  bank.get('/goals/:id/activity', {
    entries: [
      { id: 'entry', label: 'savings.added', amountMinor: 300_00, asset: 'USD', bookedAt: '2026-08-28T09:41:00.000Z' },
    ],
  })
  await pressByKey(page.getByRole('button', { name: 'Add Money to New Kitchen' }))
  await sheet.getByLabelText('Amount').fill('300')
  await pressByKey(inSheet('Add Money'))
  await expect.element(findToast('$300.00 added to New Kitchen!')).toBeVisible()
  await expect.element(card('New Kitchen')).toMatchTextContent('$300.00 of $1,200.00')
  expect(readAddress()).toBe('/savings')

  const monthly = { amountMinor: 75_00, dayOfMonth: 31, nextOn: '2026-08-31' }
  const changedGoal = { ...kitchen, savedMinor: 300_00, monthlyNeedMinor: 75_00, monthly }
  bank.put('/goals/:id/monthly', async () => {
    await mockGoal('New Kitchen', changedGoal)
    return {}
  })
  await manage('New Kitchen')
  await pressByKey(inSheet(/^Save Every Month/))
  await expect.element(sheet.getByLabelText('Every month')).toHaveValue('75.00')
  await sheet.getByLabelText('Day of the Month').fill('32')
  await pressByKey(inSheet('Save Every Month'))
  await expect
    .element(sheet.getByLabelText('Day of the Month'))
    .toHaveAccessibleDescription(/^Enter a day from 1 to 31/)
  await sheet.getByLabelText('Day of the Month').fill('31')
  await pressByKey(inSheet('Save Every Month'))
  await expect.element(card('New Kitchen')).toMatchTextContent('$75.00 every month, next on Aug 31')

  bank.put('/round-ups', async ({ json }) => {
    await mockGoal('New Kitchen', { ...changedGoal, roundUpTimes: json.times })
    return {}
  })
  await manage('New Kitchen')
  await pressByKey(sheet.getByRole('switch', { name: 'Round-Ups' }))
  await sheet.getByRole('radio', { name: '×2' }).click()
  await expect.element(findToast('Round-ups from your card payments go to New Kitchen')).toBeVisible()
  await expect.element(sheet.getByText('Added')).toBeVisible()

  await pressByKey(inSheet(/^Withdraw Money/))
  bank.post('/goals/:id/withdrawals', ({ json }) =>
    json.amountMinor > 300_00 ? refusalAnswer('insufficient_funds') : moves(200_00),
  )
  await sheet.getByLabelText('Amount').fill('300.01')
  await pressByKey(inSheet('Withdraw Money'))
  await expect.element(findToast("You don't have enough money for this")).toBeVisible()
  await sheet.getByLabelText('Amount').fill('100')
  await pressByKey(inSheet('Withdraw Money'))
  await expect.element(findToast('$100.00 is back in your account')).toBeVisible()
  await expect.element(card('New Kitchen')).toMatchTextContent('Rounds up your card payments, ×2')
  expect(changeRequests()).toMatchObject([
    { path: `/goals/${id}/deposits`, json: { amountMinor: 300_00, asset: 'USD' } },
    { path: `/goals/${id}/monthly`, json: { amountMinor: 75_00, asset: 'USD', dayOfMonth: 31 } },
    { path: '/round-ups', json: { goalId: id, times: 1 } },
    { path: '/round-ups', json: { goalId: id, times: 2 } },
    { path: `/goals/${id}/withdrawals`, json: { amountMinor: 300_01 } },
    { path: `/goals/${id}/withdrawals`, json: { amountMinor: 100_00 } },
  ])
})

test('a goal is closed after a confirmation, and returns its money', async () => {
  const recording = await bank.recorded('/goals')
  bank.post('/goals/:id/close', () => {
    bank.get('/goals', { ...recording, goals: recording.goals.filter(({ name }) => name !== 'New Car') })
    return { returnedMinor: 3_200_00, asset: 'USD' as const }
  })
  await open('/savings')
  await manage('New Car')
  await pressByKey(inSheet(/^Close Goal/))
  await expect.element(sheet).toMatchTextContent('$3,200.00')
  await pressByKey(inSheet('Close Goal'))
  await expect.element(findToast('New Car is closed')).toBeVisible()
  await expect.element(page.getByText('$3,200.00 is back in your account')).toBeVisible()
  await expect.element(card('New Car')).not.toBeInTheDocument()
})

test('a locked goal releases no money, and is unlocked a day after the request', async () => {
  bank.put('/goals/:id/lock', async ({ json }) => {
    await mockGoal('New Car', json)
    return {}
  })
  bank.post('/goals/:id/unlock', async () => {
    await mockGoal('New Car', { lockedUntil: '2027-12-24', unlocksAt: '2026-08-29T09:41:00.000Z' })
    return {}
  })
  await open('/savings')
  await manage('New Car')
  await pressByKey(inSheet(/^Lock/))
  await sheet.getByLabelText('Locked Until').fill('2027-12-24')
  await pressByKey(inSheet('Lock Goal'))
  await expect.element(findToast('Locked until December 24, 2027')).toBeVisible()
  await expect.element(card('New Car')).toMatchTextContent('Locked until Dec 24, 2027')
  await manage('New Car')
  await expect.element(inSheet(/^Withdraw Money/)).toBeDisabled()
  await pressByKey(inSheet(/^Lock/))
  await pressByKey(inSheet('Unlock in 24 Hours'))
  await expect.element(card('New Car')).toMatchTextContent('Unlocks on')
  expect(changeRequests()).toMatchObject([{ json: { lockedUntil: '2027-12-24' } }, { method: 'POST' }])
})

test('a goal with a date shows whether it is on track, and draws the way to it', async () => {
  const need = { targetOn: '2026-12-31', monthlyNeedMinor: 510_00 }
  bank.get('/goals/:id/activity', {
    entries: [
      { id: 'b', label: 'savings.added', amountMinor: 450_00, asset: 'USD', bookedAt: '2026-08-10T12:00:00.000Z' },
      { id: 'a', label: 'savings.added', amountMinor: 2_000_00, asset: 'USD', bookedAt: '2026-06-10T12:00:00.000Z' },
    ],
  })
  await mockGoal('Vacation Fund', { ...need, monthly: null })
  await open('/savings')
  await manage('Vacation Fund')
  await expect
    .element(sheet)
    .toMatchTextContent(/Behind\. By Dec 31(, 2026)? you'd have \$2,450\.00\. To get there, save \$510\.00 a month\./)
  const chart = sheet.getByRole('slider', { name: 'Your savings for this goal, and the line to its target' })
  await expect.element(chart).toHaveAttribute('aria-valuetext', 'Today, Saved $2,450.00')
  await pressByKey(inSheet('Show as Table'))
  await expect.element(sheet.getByRole('table')).toMatchTextContent(/\$2,000\.00.*\$2,450\.00.*\$5,000\.00$/)
})

test('a goal whose monthly saving is enough is on track', async () => {
  const monthly = { amountMinor: 700_00, dayOfMonth: 1, nextOn: '2026-09-01' }
  await mockGoal('Vacation Fund', { targetOn: '2026-12-31', monthlyNeedMinor: 510_00, monthly })
  await open('/savings')
  await manage('Vacation Fund')
  await expect.element(sheet).toMatchTextContent('On track. Your monthly savings get you there by Dec 31')
})
