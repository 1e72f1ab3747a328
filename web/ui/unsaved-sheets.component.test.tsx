import { describe, expect, test } from 'vitest'
import { type Locator, page, userEvent } from 'vitest/browser'
import type { Schedule } from '#contract/schedules.ts'
import { router } from '#web/app/routes.tsx'
import { readAddress, open, pressByKey } from '#web/test/app.tsx'
import { bank } from '#web/test/bank.ts'

const sheet = page.getByRole('dialog')
const inSheet = (name: string | RegExp) => sheet.getByRole('button', { name })
const question = sheet.getByRole('heading', { name: 'Discard changes?' })

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

async function editGoal(): Promise<void> {
  await open('/dashboard')
  await page.getByRole('link', { name: /^Add to Vacation Fund/ }).click()
  await pressByKey(page.getByRole('button', { name: 'Manage New Car' }))
  await pressByKey(inSheet('Edit Goal'))
}

/** All sheets that edit saved data, with the way to open each, and an edit. */
const SHEETS: readonly { of: string; begin: () => Promise<void>; field: Locator; text: string }[] = [
  { of: 'a goal', begin: editGoal, field: sheet.getByLabelText('Name'), text: 'Boat' },
  {
    of: "a card's name",
    begin: async () => {
      const { cards } = await bank.recorded('/cards')
      await open('/cards')
      const cardName = cards[1]?.name ?? ''
      await page
        .getByRole('button', { name: new RegExp(`Name and Design|${cardName}.*Name`, 'i') })
        .first()
        .click()
    },
    field: sheet.getByLabelText('Name'),
    text: 'Trips',
  },
  {
    of: "a goal's monthly saving",
    begin: async () => {
      const recording = await bank.recorded('/goals')
      const monthly = { amountMinor: 75_00, asset: 'USD' as const, dayOfMonth: 31, nextOn: '2026-08-31' }
      bank.get('/goals', { ...recording, goals: recording.goals.map((goal) => ({ ...goal, monthly })) })
      await open('/savings')
      await pressByKey(page.getByRole('button', { name: 'Manage New Car' }))
      await pressByKey(inSheet(/^Save Every Month/))
    },
    field: sheet.getByLabelText('Day of the Month'),
    text: '15',
  },
  {
    of: "a goal's lock",
    begin: async () => {
      const recording = await bank.recorded('/goals')
      bank.get('/goals', {
        ...recording,
        goals: recording.goals.map((goal) => ({ ...goal, lockedUntil: '2027-01-01' })),
      })
      await open('/savings')
      await pressByKey(page.getByRole('button', { name: 'Manage New Car' }))
      await pressByKey(inSheet(/^Lock/))
    },
    field: sheet.getByLabelText('Locked Until'),
    text: '2027-12-24',
  },
  {
    of: "a card's limits",
    begin: async () => {
      await open('/cards')
      await page
        .getByRole('button', { name: /^Limits and Controls/ })
        .first()
        .click()
    },
    field: sheet.getByLabelText('Limit per Payment'),
    text: '250',
  },
  {
    of: "a card's limits by their address",
    begin: async () => {
      const { cards } = await bank.recorded('/cards')
      await open(`/cards?controls=${cards[0]?.id ?? ''}`)
    },
    field: sheet.getByLabelText('Limit per Payment'),
    text: '250',
  },
  {
    of: 'a budget',
    begin: async () => {
      const recording = await bank.recorded('/analytics')
      bank.get('/analytics', {
        ...recording,
        categories: recording.categories.map((row) => ({ ...row, budgetMinor: 100_00 })),
      })
      await open('/analytics')
      await pressByKey(page.getByRole('main').getByRole('button', { name: /^Entertainment/ }))
    },
    field: sheet.getByRole('textbox', { name: 'Monthly Budget' }),
    text: '200',
  },
  {
    of: 'a scheduled payment',
    begin: async () => {
      bank.get('/schedules', { schedules: [RENT] })
      await open('/transfer')
      await page.getByRole('button', { name: /Sarah Johnson.*Every month/ }).click()
      await inSheet('Edit').click()
    },
    field: sheet.getByLabelText('Amount'),
    text: '30',
  },
]

/** Returns whether closing the page asks for confirmation. */
function asks(): boolean {
  const closing = new Event('beforeunload', { cancelable: true })
  window.dispatchEvent(closing)
  return closing.defaultPrevented
}

/** Edits a field and waits until the sheet has registered the edit. */
async function edit(field: Locator, text: string): Promise<void> {
  await field.fill(text)
  await expect.poll(asks).toBe(true)
}

test.each(SHEETS)('the edits of $of are not lost without a question', async ({ begin, field, text }) => {
  await begin()
  await expect.element(field).toBeVisible()
  await edit(field, text)
  for (const leave of [() => userEvent.keyboard('{Escape}'), () => pressByKey(inSheet('Close'))]) {
    await leave()
    await expect.element(question).toBeVisible()
    await pressByKey(inSheet('Keep Editing'))
    await expect.element(field).toBeVisible()
  }
  await userEvent.keyboard('{Escape}')
  await pressByKey(inSheet('Discard Changes'))
  await expect.element(sheet).not.toBeInTheDocument()
})

describe('with unsaved edits', () => {
  const name = sheet.getByLabelText('Name')

  test('Back shows a question and keeps the sheet, and Back again keeps the edits', async () => {
    await editGoal()
    await edit(name, 'Boat')
    history.back()
    await expect.element(question).toBeVisible()
    await expect.poll(() => (history.state as { sheets?: number }).sheets).toBe(1)
    history.back()
    await expect.element(question).not.toBeInTheDocument()
    await expect.element(name).toHaveValue('Boat')
    await expect.poll(() => (history.state as { sheets?: number }).sheets).toBe(1)
    history.back()
    await pressByKey(inSheet('Discard Changes'))
    await expect.element(sheet).not.toBeInTheDocument()
    expect(readAddress()).toBe('/savings')
    await expect.poll(() => (history.state as { sheets?: number }).sheets ?? 0).toBe(0)
    history.back()
    await expect.poll(readAddress).toBe('/dashboard')
  })

  test('Back from a sheet that its address opens shows a question too', async () => {
    const { cards } = await bank.recorded('/cards')
    await open('/dashboard')
    await router.navigate(`/cards?controls=${cards[0]?.id ?? ''}`)
    const limit = sheet.getByLabelText('Limit per Payment')
    await edit(limit, '250')
    history.back()
    await expect.element(question).toBeVisible()
    await pressByKey(inSheet('Keep Editing'))
    await expect.element(limit).toHaveValue('250.00')
    history.back()
    await pressByKey(inSheet('Discard Changes'))
    await expect.poll(readAddress).toBe('/dashboard')
  })

  const waysToLeave = [
    ['a link', () => void router.navigate('/transactions'), '/transactions'],
    ['two steps back', () => history.go(-2), '/dashboard'],
  ] as const
  test.each(waysToLeave)(
    '%s to another screen shows a question, and is followed after the edits are discarded',
    async (_, leave, targetPath) => {
      await editGoal()
      await edit(name, 'Boat')
      leave()
      await expect.element(question).toBeVisible()
      await pressByKey(inSheet('Discard Changes'))
      await expect.poll(readAddress).toBe(targetPath)
      await expect.element(sheet).not.toBeInTheDocument()
    },
  )

  test('closing the page shows a question, and without edits none', async () => {
    await editGoal()
    await expect.element(name).toBeVisible()
    expect(asks()).toBe(false)
    await name.fill('Boat')
    await expect.poll(asks).toBe(true)
    await name.fill('New Car')
    await expect.poll(asks).toBe(false)
    await userEvent.keyboard('{Escape}')
    await expect.element(sheet).not.toBeInTheDocument()
  })
})
