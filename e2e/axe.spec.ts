import { expect, test } from '@playwright/test'
import { type Screen, walk } from './accessibility.ts'
import { visit } from './bank.ts'

const PAYMENTS: Screen[] = [
  [
    'dashboard',
    async (page) => {
      await page.goto('/dashboard')
      await expect(page.getByRole('link', { name: 'Open Mailbox' })).toBeVisible()
    },
  ],
  [
    'transfer',
    async (page) => {
      await page.goto('/transfer')
      await page.getByRole('button', { name: 'Sarah Johnson' }).click()
    },
  ],
  [
    'transfer, refused',
    async (page) => {
      await page.goto('/transfer')
      await page.getByRole('button', { name: 'Send Money' }).click()
      await expect(page.getByRole('region', { name: 'Notifications' })).toContainText('Please fill in all fields')
    },
  ],
  [
    'add money',
    async (page) => {
      await page.goto('/add-money')
      await page.getByRole('button', { name: '$50', exact: true }).click()
      await page.getByRole('radio', { name: 'Bank Transfer' }).click()
    },
  ],
]

const CARDS: Screen[] = [
  [
    'cards, one of them frozen',
    async (page) => {
      await page.goto('/cards')
      await page.getByRole('button', { name: 'Freeze' }).first().click()
      await expect(page.getByText('Frozen')).toBeVisible()
    },
  ],
  [
    'card details',
    async (page) => {
      await page.goto('/cards')
      await page.getByRole('button', { name: 'Details' }).first().click()
      await expect(page.getByText('Hidden again')).toBeVisible()
    },
  ],
  [
    'card limits',
    async (page) => {
      await page.goto('/cards')
      await page.getByRole('button', { name: 'Limits and Controls' }).first().click()
      await expect(page.getByLabel('Limit per Month')).toBeVisible()
    },
  ],
  [
    'a new card',
    async (page) => {
      await page.goto('/cards')
      await page.getByRole('button', { name: 'Create Virtual Card' }).click()
      await page.getByRole('button', { name: 'Create Card' }).click()
      await expect(page.getByText('Enter a limit')).toBeVisible()
    },
  ],
]

const TRANSACTIONS: Screen[] = [
  [
    'transactions',
    async (page) => {
      await page.goto('/transactions?category=food')
      await expect(page.getByRole('link', { name: /Copper Kettle/ }).first()).toBeVisible()
    },
  ],
  [
    'filters',
    async (page) => {
      await page.goto('/transactions')
      await page.getByRole('button', { name: 'Filters' }).click()
      await expect(page.getByRole('button', { name: /^Show \d+ Transactions$/ })).toBeVisible()
    },
  ],
  [
    'no transactions found',
    async (page) => {
      await page.goto('/transactions?q=no+such+thing')
      await expect(page.getByText('No transactions found')).toBeVisible()
    },
  ],
  [
    'transaction detail',
    async (page) => {
      await page.goto('/transactions')
      await page
        .getByRole('link', { name: /Copper Kettle/ })
        .first()
        .click()
      await expect(page.getByText(/^This was payment \d+ for food and drink/)).toBeVisible()
    },
  ],
]

const OTHERS: Screen[] = [
  [
    'claim',
    async (page) => {
      await page.goto('/claim?token=none')
      await expect(page.getByText("This payment link isn't valid")).toBeVisible()
    },
  ],
  ['mailbox', (page) => page.goto('/sample/mail')],
  ['not built yet', (page) => page.goto('/request')],
  ['not found', (page) => page.goto('/nowhere')],
]

for (const [what, screens] of [
  ['of payments', PAYMENTS],
  ['of transactions', TRANSACTIONS],
  ['of cards', CARDS],
  ['beside them', OTHERS],
] as const) {
  test(`every screen ${what} is without violations, light and dark, and fits a narrow phone`, async ({ page }) => {
    test.setTimeout(120_000)
    await visit(page)
    await walk(page, screens)
  })
}
