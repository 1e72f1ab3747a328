import { expect, test } from '@playwright/test'
import type { LoanOverview } from '#contract/loans.ts'
import { type ScreenState, checkScreens } from './accessibility.ts'
import { expectAppReady, readFromBank, goTo, NO_SCREEN, postToBank, visit } from './bank.ts'

const PAYMENTS: ScreenState[] = [
  [
    'dashboard',
    async (page) => {
      await goTo(page, '/dashboard')
      await expect(page.getByRole('link', { name: 'Open Mailbox' })).toBeVisible()
    },
  ],
  [
    'transfer',
    async (page) => {
      await goTo(page, '/transfer')
      await page.getByRole('button', { name: 'Sarah Johnson' }).click()
    },
  ],
  [
    'transfer, refused',
    async (page) => {
      await goTo(page, '/transfer')
      await page.getByRole('button', { name: 'Send Money' }).click()
      await expect(page.getByRole('region', { name: 'Notifications' })).toContainText('Please fill in all fields')
    },
  ],
  ['savings', (page) => goTo(page, '/savings')],
  [
    'investing',
    async (page) => {
      await goTo(page, '/invest')
      await page.getByRole('button', { name: 'Show as Table' }).click()
    },
  ],
  [
    'what suits an investor',
    async (page) => {
      await goTo(page, '/invest')
      await page.getByRole('button', { name: 'Invest Now in Balanced Portfolio' }).click()
      await expect(page.getByRole('dialog').getByRole('group')).toHaveCount(3)
    },
  ],
  [
    'a savings goal',
    async (page) => {
      await goTo(page, '/savings')
      await page.getByRole('button', { name: 'Manage Vacation Fund' }).click()
      await expect(page.getByRole('dialog').getByText('Activity')).toBeVisible()
    },
  ],
  [
    'transfer, every month',
    async (page) => {
      await goTo(page, '/transfer')
      await page.getByRole('radio', { name: 'Monthly' }).click()
      await page.getByRole('radio', { name: 'After' }).click()
    },
  ],
  [
    'all contacts',
    async (page) => {
      await goTo(page, '/transfer')
      await page.getByRole('button', { name: 'See All' }).click()
      await expect(page.getByRole('button', { name: 'Remove Emma Wilson' })).toBeVisible()
    },
  ],
  [
    'request, refused',
    async (page) => {
      await goTo(page, '/request')
      await page.getByRole('button', { name: 'Request Money' }).click()
      await expect(page.getByRole('region', { name: 'Notifications' })).toContainText('Please enter a valid amount')
    },
  ],
  [
    'a request',
    async (page) => {
      await postToBank(page, '/sample/requests')
      await page.goto('/request')
      await page.getByRole('link', { name: /Today/ }).click()
      await page.getByRole('button', { name: 'Pay a Part' }).click()
    },
  ],
  [
    'split bill',
    async (page) => {
      await goTo(page, '/split-bill')
      await page.getByLabel('Total Amount').fill('50')
      await page.getByRole('checkbox').first().check()
      await page.getByRole('radio', { name: 'By amount' }).click()
      await page.getByRole('button', { name: 'Split Bill' }).click()
      await expect(page.getByRole('region', { name: 'Notifications' })).toContainText('Please enter a valid amount')
    },
  ],
  [
    'add money',
    async (page) => {
      await goTo(page, '/add-money')
      await page.getByRole('button', { name: '$50', exact: true }).click()
      await page.getByRole('radio', { name: 'Bank Transfer' }).click()
    },
  ],
  [
    'rewards',
    async (page) => {
      await goTo(page, '/rewards')
      await expect(page.getByText('Copper Kettle Coffee').first()).toBeVisible()
    },
  ],
  [
    'rewards, asked once more',
    async (page) => {
      await goTo(page, '/rewards')
      await page.getByRole('button', { name: 'Redeem $10 Cashback' }).click()
    },
  ],
]

const ADVISOR: ScreenState[] = [
  [
    'the advisor, before anything is asked',
    async (page) => {
      await goTo(page, '/ai-advisor')
      await expect(page.getByRole('button', { name: 'Investment tips' })).toBeVisible()
    },
  ],
  [
    'the advisor, with replies',
    async (page) => {
      await postToBank(page, '/advisor/questions', { question: 'Reduce my spending' })
      await page.goto('/ai-advisor')
      await expect(page.getByRole('log')).toContainText('Food & Drink')
    },
  ],
  [
    'the advisor, to be cleared',
    async (page) => {
      await goTo(page, '/ai-advisor')
      await page.getByRole('button', { name: 'Clear Conversation' }).click()
    },
  ],
]

const CARDS: ScreenState[] = [
  [
    'cards, one of them frozen',
    async (page) => {
      await goTo(page, '/cards')
      await page.getByRole('button', { name: 'Freeze' }).first().click()
      await expect(page.getByText('Frozen', { exact: true })).toBeVisible()
    },
  ],
  [
    'card details',
    async (page) => {
      await goTo(page, '/cards')
      await page.getByRole('button', { name: 'Details' }).first().click()
      await expect(page.getByText(/^Hides again in/)).toBeVisible()
    },
  ],
  [
    'card limits',
    async (page) => {
      await goTo(page, '/cards')
      await page.getByRole('button', { name: 'Limits and Controls' }).first().click()
      await expect(page.getByLabel('Limit per Month')).toBeVisible()
    },
  ],
  [
    'a new card',
    async (page) => {
      await goTo(page, '/cards')
      await page.getByRole('button', { name: 'Create Virtual Card' }).click()
      await page.getByRole('button', { name: 'Create Card' }).click()
      await expect(page.getByText('Enter a limit')).toBeVisible()
    },
  ],
]

const CRYPTO: ScreenState[] = [
  [
    'crypto',
    async (page) => {
      await goTo(page, '/crypto')
      await expect(page.getByRole('slider', { name: 'Value of your coins' })).toBeVisible()
    },
  ],
  [
    'a coin',
    async (page) => {
      await goTo(page, '/crypto')
      await page.getByRole('button', { name: /^Bitcoin/ }).click()
      await expect(page.getByRole('slider', { name: 'Price of Bitcoin' })).toBeVisible()
    },
  ],
  [
    'a quote for coins',
    async (page) => {
      await goTo(page, '/crypto')
      await page.getByRole('button', { name: 'Buy Crypto' }).click()
      await page.getByLabel('Amount').fill('20')
      await page.getByRole('button', { name: 'Get Quote' }).click()
      await expect(page.getByRole('region', { name: 'Quote' })).toBeVisible()
    },
  ],
  [
    'a limit order, refused',
    async (page) => {
      await goTo(page, '/crypto')
      await page.getByRole('button', { name: 'Buy Crypto' }).click()
      await page.getByRole('radio', { name: 'Limit' }).click()
      await page.getByRole('button', { name: 'Place Order' }).click()
      await expect(page.getByText('Enter an amount').first()).toBeVisible()
    },
  ],
]

const LOANS: ScreenState[] = [
  [
    'loans',
    async (page) => {
      await goTo(page, '/loans')
      await expect(page.getByText('Credit score 742 (Good)')).toBeVisible()
    },
  ],
  [
    'loans, refused',
    async (page) => {
      await goTo(page, '/loans')
      await page.getByRole('textbox', { name: 'Loan Amount' }).fill('7300')
      await page.getByRole('button', { name: 'Apply for Loan' }).click()
      await expect(page.getByRole('region', { name: 'Notifications' })).toContainText('in increments of $500')
    },
  ],
  [
    'the offer of a loan',
    async (page) => {
      await postToBank(page, '/loan-applications', { amountMinor: 5_000_00, asset: 'USD', months: 24 })
      await page.goto('/loans')
      await expect(page.getByText('Your loan is approved')).toBeVisible()
    },
  ],
  [
    "a loan's schedule",
    async (page) => {
      const { application } = await readFromBank<LoanOverview>(page, '/loans')
      await postToBank(page, `/loan-applications/${application?.id}/accept`)
      await page.goto('/loans')
      await page.getByRole('button', { name: 'Payment Schedule' }).click()
      await expect(page.getByRole('dialog').getByRole('row')).toHaveCount(25)
    },
  ],
  [
    'a loan',
    async (page) => {
      await goTo(page, '/loans')
      await expect(page.getByRole('button', { name: 'Pay Off Early' })).toBeEnabled()
    },
  ],
  [
    'a pause, with what it costs',
    async (page) => {
      await goTo(page, '/loans')
      await page.getByRole('button', { name: /^Pause Payments/ }).click()
      await expect(page.getByRole('dialog')).toContainText('Extra Interest in Total')
    },
  ],
]

const TRANSACTIONS: ScreenState[] = [
  [
    'transactions',
    async (page) => {
      await goTo(page, '/transactions?category=food')
      await expect(page.getByRole('link', { name: /Copper Kettle/ }).first()).toBeVisible()
    },
  ],
  [
    'filters',
    async (page) => {
      await goTo(page, '/transactions')
      await page.getByRole('button', { name: 'Filters' }).click()
      await expect(page.getByRole('button', { name: /^Show \d+ Transactions$/ })).toBeVisible()
    },
  ],
  [
    'no transactions found',
    async (page) => {
      await goTo(page, '/transactions?q=no+such+thing')
      await expect(page.getByText('No transactions found')).toBeVisible()
    },
  ],
  [
    'transaction detail',
    async (page) => {
      await goTo(page, '/transactions')
      await page
        .getByRole('link', { name: /Copper Kettle/ })
        .first()
        .click()
      await expect(page.getByText(/^Your \d+(st|nd|rd|th) food and drink payment/)).toBeVisible()
    },
  ],
]

const STATEMENTS: ScreenState[] = [
  [
    'statements',
    async (page) => {
      const content = Buffer.from('Date,Name,Amount\n2026-08-03,Market,-45.20\n').toString('base64')
      await postToBank(page, '/imports', { fileName: 'august.csv', content, mapping: null })
      await page.goto('/statements')
      await expect(page.getByRole('heading', { name: 'Spending from Other Banks' })).toBeVisible()
      await expect(page.getByRole('button', { name: /^Download PDF/ })).toBeEnabled()
    },
  ],
  [
    'statements, refused',
    async (page) => {
      await goTo(page, '/statements')
      await page.getByLabel('From', { exact: true }).fill('2026-08-20')
      await page.getByLabel('To', { exact: true }).fill('2026-08-10')
      await expect(page.getByText("The first day can't be after the last day")).toBeVisible()
    },
  ],
  [
    'an import, looked at',
    async (page) => {
      await goTo(page, '/statements')
      await expectAppReady(page)
      const buffer = Buffer.from('Date,Name,Amount\n2026-08-04,Fuel,-30.00\n')
      await page
        .getByLabel('A statement from another bank')
        .setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer })
      await expect(page.getByRole('button', { name: 'Import 1 Payment' })).toBeVisible()
    },
  ],
]

const PAYMENT_METHODS: ScreenState[] = [
  [
    'payment methods',
    async (page) => {
      await goTo(page, '/payment-methods')
      await expect(page.getByRole('button', { name: /Fernline Broadband/ })).toBeVisible()
    },
  ],
  [
    'linking an account, refused',
    async (page) => {
      await goTo(page, '/payment-methods')
      await page.getByRole('button', { name: 'Link New Account' }).click()
      await page.getByRole('button', { name: 'Link Account' }).click()
      await expect(page.getByText("Enter the bank's name")).toBeVisible()
    },
  ],
  [
    'a direct debit',
    async (page) => {
      await goTo(page, '/payment-methods')
      await page.getByRole('button', { name: /Fernline Broadband/ }).click()
      await expect(page.getByRole('button', { name: 'Cancel Direct Debit' })).toBeVisible()
    },
  ],
]

const CARBON: ScreenState[] = [
  [
    'the carbon footprint',
    async (page) => {
      await goTo(page, '/carbon-footprint')
      await expect(page.getByRole('button', { name: 'Offset 123 kg for $18.45' })).toBeVisible()
    },
  ],
  [
    'an offset, asked once more',
    async (page) => {
      await goTo(page, '/carbon-footprint')
      await page.getByRole('button', { name: 'Offset 123 kg for $18.45' }).click()
      await expect(page.getByRole('dialog').getByRole('button', { name: 'Pay $18.45' })).toBeVisible()
    },
  ],
  [
    'the carbon footprint, offset',
    async (page) => {
      await postToBank(page, '/carbon/offsets', { month: '2026-08', grams: 123_000, amountMinor: 18_45, asset: 'USD' })
      await page.goto('/carbon-footprint')
      await expect(page.getByRole('button', { name: /^CO2/ })).toBeVisible()
    },
  ],
  [
    'settings',
    async (page) => {
      await goTo(page, '/settings')
      await expect(page.getByRole('switch', { name: 'Use Device Setting' })).toBeVisible()
    },
  ],
]

const HELP: ScreenState[] = [
  [
    'help center',
    async (page) => {
      await goTo(page, '/help-center')
      await expect(page.getByRole('link', { name: /^Payments & Transfers/ })).toBeVisible()
    },
  ],
  [
    'articles that were found',
    async (page) => {
      await goTo(page, '/help-center?q=payment')
      await expect(page.getByRole('link', { name: /^Schedule a payment/ })).toBeVisible()
    },
  ],
  [
    'no articles found',
    async (page) => {
      await goTo(page, '/help-center?q=zebra')
      await expect(page.getByRole('heading', { name: 'Nothing found for “zebra”' })).toBeVisible()
    },
  ],
  [
    'a topic',
    async (page) => {
      await goTo(page, '/help-center?topic=account')
      await expect(page.getByRole('link', { name: 'Close your account' })).toBeVisible()
    },
  ],
  [
    'an article',
    async (page) => {
      await goTo(page, '/help-center/article?topic=account&id=close_account')
      await expect(page.getByRole('heading', { name: 'Close your account' })).toBeVisible()
    },
  ],
  [
    'an article that is none',
    async (page) => {
      await goTo(page, '/help-center/article')
      await expect(page.getByRole('heading', { name: 'Article not found' })).toBeVisible()
    },
  ],
]

const ANALYTICS: ScreenState[] = [
  [
    'analytics',
    async (page) => {
      await goTo(page, '/analytics')
      await expect(page.getByText('Brightwater Energy')).toBeVisible()
      await expect(page.getByText('Expected on Aug 31')).toBeVisible()
    },
  ],
  [
    'a category',
    async (page) => {
      await goTo(page, '/analytics')
      await page.getByRole('button', { name: /^Entertainment/ }).click()
      await expect(page.getByRole('dialog').getByText('Streamly').first()).toBeVisible()
    },
  ],
  [
    'another category for a payment',
    async (page) => {
      await goTo(page, '/analytics')
      await page.getByRole('button', { name: /^Entertainment/ }).click()
      await page.getByRole('button', { name: 'Change Category of Streamly' }).first().click()
      await expect(page.getByRole('dialog').getByRole('radio', { name: 'Bills' })).toBeVisible()
    },
  ],
]

const OTHERS: ScreenState[] = [
  [
    'notifications',
    async (page) => {
      await goTo(page, '/notifications')
      await expect(page.getByText('Investment update')).toBeVisible()
    },
  ],
  [
    'notification preferences',
    async (page) => {
      await goTo(page, '/notifications/preferences')
      await expect(page.getByRole('switch', { name: 'Money In' })).toBeVisible()
    },
  ],
  [
    'claim',
    async (page) => {
      await goTo(page, '/claim?token=none')
      await expect(page.getByText("This payment link isn't valid")).toBeVisible()
    },
  ],
  ['mailbox', (page) => goTo(page, '/sample/mail')],
  ['not found', (page) => goTo(page, NO_SCREEN)],
]

for (const [group, screens] of [
  ['of payments', PAYMENTS],
  ['of loans', LOANS],
  ['of transactions', TRANSACTIONS],
  ['of statements', STATEMENTS],
  ['of cards', CARDS],
  ['of the advisor', ADVISOR],
  ['of crypto', CRYPTO],
  ['of payment methods', PAYMENT_METHODS],
  ['of the carbon footprint', CARBON],
  ['of help', HELP],
  ['of analytics', ANALYTICS],
  ['outside these groups', OTHERS],
] as const) {
  test(`every screen ${group} has no violations and fits a narrow phone`, async ({ page }) => {
    test.setTimeout(240_000)
    await visit(page)
    await checkScreens(page, screens)
  })
}
