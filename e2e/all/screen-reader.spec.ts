import { expect, type Page, test } from '@playwright/test'
import { postToBank, visit } from '../bank.ts'
import { openScreenReader, type ScreenReader } from '../screen-reader.ts'

/*
 * Each way to move money, by keyboard alone, as the accessibility tree describes it (docs/accessibility.md judges the lines).
 * The focus is never lost, every control has a name, and the important lines come in the given order.
 */

type Journey = {
  path: string
  /** The steps before the journey starts. */
  before?: (page: Page) => Promise<unknown>
  go: (spoken: ScreenReader, page: Page) => Promise<unknown>
  announcements: readonly (string | RegExp)[]
}

/** Moves the focus to each control in turn and presses it. Where a step contains ` := `, types the text after it instead. */
async function walk({ tabTo, press, type }: ScreenReader, steps: readonly string[]): Promise<void> {
  for (const step of steps) {
    const [control = '', text] = step.split(' := ')
    await tabTo(control)
    await (text === undefined ? press(control.startsWith('radio') ? 'Space' : 'Enter') : type(text))
  }
}

const JOURNEYS: Record<string, Journey> = {
  'sends to a contact': {
    path: '/transfer',
    go: async (spoken) => {
      await walk(spoken, ['textbox, "Amount" := 25.50', 'button, "Sarah', 'button, "Send Money'])
      await spoken.hear('sent successfully')
    },
    announcements: [
      /^textbox, "Amount", US Dollar \$[\d,.]+ available$/,
      'button, "Sarah Johnson", pressed, sarah.johnson@example.com',
      '> Sending $25.50…',
      '> $25.50 sent successfully to sarah.johnson@example.com',
    ],
  },
  'sends to someone new, after a refusal and a review': {
    path: '/transfer',
    go: async (spoken) => {
      await walk(spoken, ['button, "Send Money'])
      await spoken.hear('Please fill in')
      await spoken.type('40')
      await walk(spoken, ['textbox, "Recipient := friend@elsewhere.example', 'button, "Send Money', 'button, "Confirm'])
      await spoken.hear('sent successfully')
    },
    announcements: [
      '> Please fill in all fields',
      /^textbox, "Amount", invalid, Enter an amount US Dollar/,
      /^textbox, "Recipient", invalid, Enter an email/,
      'dialog, "Is this the right recipient?", Check the amount and the recipient.',
      'button, "Confirm", $40.00 friend@elsewhere.example',
      '> $40.00 sent successfully to friend@elsewhere.example',
    ],
  },
  'asks for money': {
    path: '/request',
    go: async (spoken) => {
      await walk(spoken, [
        'textbox, "Amount := 18',
        'textbox, "From := sarah.johnson@example.com',
        'button, "Request Money',
      ])
      await spoken.hear('Request sent')
    },
    announcements: [/^textbox, "Amount", US Dollar/, '> Requesting $18.00…', '> Request sent for $18.00!'],
  },
  'pays a request': {
    path: '/request',
    before: (page) => postToBank(page, '/sample/requests'),
    go: async (spoken) => {
      await walk(spoken, ['Open"', 'button, "Pay $'])
      await spoken.hear('You paid')
    },
    announcements: [
      /^link, ".+ Today , .+ \$[\d.]+ Open"$/,
      /^dialog, "Request from /,
      /^button, "Pay \$/,
      /^> You paid /,
    ],
  },
  'splits a bill': {
    path: '/split-bill',
    go: async (spoken) => {
      await walk(spoken, ['textbox, "Total Amount := 90'])
      await spoken.tabTo('checkbox, "Sarah')
      await spoken.press('Space')
      await walk(spoken, ['button, "Split Bill'])
      await spoken.hear('Bill split')
    },
    announcements: [
      '> Each person pays $45.00',
      'checkbox, "Sarah Johnson $45.00 sarah.johnson@example.com", checked',
      '> Bill split! Each person pays $45.00.',
    ],
  },
  'adds money by card': {
    path: '/add-money',
    go: async (spoken) => {
      await walk(spoken, ['button, "$50', 'radio, "Debit Card', 'button, "Add Money'])
      await spoken.hear('added successfully')
    },
    announcements: ['button, "$50", pressed', 'radio, "Debit Card Instant", checked', '> $50.00 added successfully!'],
  },
  'adds money by bank': {
    path: '/add-money',
    go: async (spoken) => {
      await walk(spoken, ['textbox, "Amount := 75', 'radio, "Debit Card'])
      await spoken.press('ArrowDown')
      await walk(spoken, ['button, "Add Money'])
      await spoken.hear('on its way')
    },
    announcements: ['radio, "Bank Transfer 1-2 business days", checked', /^> \$75\.00 is on its way/],
  },
  'makes a goal, and adds to it': {
    path: '/savings',
    go: async (spoken) => {
      await walk(spoken, [
        'button, "New Goal',
        'textbox, "Name := Bike',
        'textbox, "Target := 800',
        'button, "Create Goal',
      ])
      await spoken.hear('Bike is ready')
      await walk(spoken, ['button, "Add Money to Bike', 'textbox, "Amount := 50', 'button, "Add Money'])
      await spoken.hear('added to Bike')
    },
    announcements: [
      'button, "Add", Add to Vacation Fund',
      'dialog, "New goal", What are you saving for?',
      'textbox, "Target", US Dollar',
      'dialog, "Add to Bike", From your account',
      '> $50.00 added to Bike!',
      'button, "Add Money to Bike"',
    ],
  },
  'takes money out of a goal': {
    path: '/savings',
    go: async (spoken) => {
      await walk(spoken, [
        'button, "Manage Vacation',
        'button, "Withdraw Money',
        'textbox, "Amount := 20',
        'button, "Withdraw Money',
      ])
      await spoken.hear('back in your account')
    },
    announcements: ['dialog, "Withdraw from Vacation Fund", To your account', '> $20.00 is back in your account'],
  },
  'freezes a card': {
    path: '/cards',
    go: async (spoken) => {
      await walk(spoken, ['button, "Freeze'])
      await spoken.hear('frozen')
    },
    announcements: ['button, "Details", Main Card', 'button, "Freeze", Main Card', '> Main Card frozen'],
  },
  'makes a virtual card, and puts money on it': {
    path: '/cards',
    go: async (spoken) => {
      await walk(spoken, [
        'button, "Create Virtual',
        'textbox, "Name := Streaming',
        'textbox, "Monthly Limit := 80',
        'textbox, "Starting := 60',
        'button, "Create Card',
      ])
      await spoken.hear('ready to use')
      await spoken.press('Shift+Tab')
      await spoken.tabTo('link, "Home')
    },
    announcements: ['dialog, "Create a virtual card"', '> Streaming is ready to use', 'button, "Create Virtual Card"'],
  },
  'sells a part of a fund': {
    path: '/invest',
    go: async (spoken) => {
      await walk(spoken, ['button, "Balanced Portfolio', 'button, "Sell'])
      await spoken.tabTo('radio, "All')
      await spoken.press('ArrowRight')
      await walk(spoken, ['textbox, "Units := 1', 'button, "Continue', 'button, "Sell'])
      await spoken.hear('Your order is placed')
    },
    announcements: [
      /^slider, "The value of your investments over time", Today, Value \$/,
      'radio, "Part", checked',
      'heading, "Check your order"',
      '> Your order is placed',
    ],
  },
  'buys coins': {
    path: '/crypto',
    go: async (spoken, page) => {
      await walk(spoken, ['button, "Buy Crypto', 'textbox, "Amount := 20', 'button, "Get Quote'])
      // The page accepts no answer to a quote until the customer has had a second to read it.
      await page.waitForTimeout(1_100)
      await walk(spoken, ['button, "Confirm Purchase'])
      await spoken.hear('You bought')
      await spoken.tabTo('button, "Litecoin')
    },
    announcements: [
      'group, "Quote, held for 15 seconds"',
      /^> You bought [\d.]+ BTC for \$20\.00$/,
      'button, "Buy Crypto"',
      / LTC \$[\d,.]+ (\+|minus )[\d.]+%"$/,
    ],
  },
  'borrows, with one announcement': {
    path: '/loans',
    before: (page) => postToBank(page, '/loan-applications', { amountMinor: 5_000_00, asset: 'USD', months: 24 }),
    go: async (spoken) => {
      await walk(spoken, ['button, "Accept Offer', 'button, "Accept Offer'])
      await spoken.hear('in your account')
      await expect.poll(() => spoken.stand()).toBe('heading, "Loans"')
      expect(spoken.lines.filter((line) => line.includes('in your account'))).toHaveLength(1)
    },
    announcements: [
      'dialog, "Accept this offer?", The terms of your loan',
      '> $5,000.00 is in your account',
      'heading, "Loans"',
    ],
  },
  'offsets a month': {
    path: '/carbon-footprint',
    go: async (spoken) => {
      await walk(spoken, ['button, "Offset', 'button, "Pay'])
      await spoken.hear('CO₂ offset')
      await expect.poll(() => spoken.stand()).toBe('heading, "Carbon Footprint"')
    },
    announcements: [
      'dialog, "Offset 123 kg of CO₂?", This costs $18.45.',
      '> 123 kg of CO₂ offset',
      'heading, "Carbon Footprint"',
    ],
  },
  'redeems points': {
    path: '/rewards',
    go: async (spoken) => {
      await walk(spoken, ['button, "Redeem $10', 'button, "Redeem 1,000'])
      await spoken.hear('cashback added')
      await spoken.hear('1,450 points')
    },
    announcements: ['dialog, "Redeem $10 Cashback?", This uses 1,000 pts.', '> 1,450 points'],
  },
  'copies the account number': {
    path: '/account-details',
    go: async (spoken, page) => {
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      await walk(spoken, ['button, "Copy Account'])
      await spoken.hear('copied')
    },
    announcements: ['button, "Copy Account Number"', '> Account number copied'],
  },
}

for (const [action, { path, before, go, announcements }] of Object.entries(JOURNEYS)) {
  test(`a customer with a screen reader ${action}`, async ({ page }) => {
    await visit(page)
    await before?.(page)
    const spoken = await openScreenReader(page)
    await page.goto(path)
    await expect(page.locator('#root')).not.toHaveAttribute('inert')
    await expect(page.locator('.animate-shimmer')).toHaveCount(0)
    await go(spoken, page)
    await test.info().attach('spoken.txt', { body: spoken.lines.join('\n') })
    expect(spoken.lines.filter((line) => /^\w+, ""/.test(line) || line.startsWith('('))).toEqual([])
    let from = 0
    for (const announcement of announcements) {
      const lineIndex = spoken.lines.findIndex(
        (line, index) =>
          index >= from && (typeof announcement === 'string' ? line.startsWith(announcement) : announcement.test(line)),
      )
      expect(lineIndex, `${String(announcement)} in\n${spoken.lines.join('\n')}`).not.toBe(-1)
      from = lineIndex
    }
  })
}
