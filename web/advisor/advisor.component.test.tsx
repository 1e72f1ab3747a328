import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { AdvisorExchange, AdvisorStatement } from '#contract/advisor.ts'
import type { Offer } from '#contract/advisor-terms.ts'
import { readAddress, open, openIn, pressByKey } from '#web/test/app.tsx'
import { bank, changeRequests, cutConnection, delayedAnswer, networkError } from '#web/test/bank.ts'

const log = page.getByRole('log', { name: 'Conversation' })
const field = page.getByRole('textbox', { name: 'Ask about your money' })
const send = page.getByRole('button', { name: 'Send', exact: true })
const prompt = (name: string) => page.getByRole('button', { name, exact: true })
const questions = () => changeRequests().map(({ json }) => json)

let count = 0
const exchangeOf = (question: string, statements: AdvisorStatement[], next: Offer[] = []): AdvisorExchange => ({
  id: `00000000-0000-4000-8000-${String((count += 1)).padStart(12, '0')}`,
  question,
  askedAt: '2026-08-28T08:00:00.000Z',
  statements,
  next,
})

/** Mocks the bank: it replies to each question with `statements`, and keeps the conversation. */
function replies(statements: AdvisorStatement[], next: Offer[] = []): void {
  let exchanges: AdvisorExchange[] = []
  bank.get('/advisor', () => ({ exchanges }))
  bank.post('/advisor/questions', ({ json }) => {
    const exchange = exchangeOf(json.question, statements, next)
    exchanges = [...exchanges, exchange]
    return exchange
  })
  bank.delete('/advisor', () => {
    exchanges = []
    return {}
  })
}

test('greets, suggests questions, and replies with figures that link to their payments', async () => {
  const go = Promise.withResolvers<void>()
  const link = { screen: 'transactions' as const, category: 'food' as const, from: '2026-08-01', to: '2026-08-31' }
  const statements: AdvisorStatement[] = [
    { code: 'set_aside', amountMinor: 200_00 },
    { code: 'dining_up', percent: 15, nowMinor: 255_30, beforeMinor: 222_00, link },
  ]
  const exchange = exchangeOf('How can I save more?', statements)
  bank.post('/advisor/questions', () => delayedAnswer(go.promise, exchange))
  await open('/ai-advisor')
  await expect.element(page.getByRole('heading', { name: 'AI Advisor', level: 1 })).toBeVisible()
  await expect.element(log).toMatchTextContent("Hi! I'm your AI advisor.")
  const PROMPTS = ['How can I save more?', 'Investment tips', 'Reduce my spending']
  for (const name of PROMPTS) await expect.element(prompt(name)).toBeVisible()
  await prompt('Investment tips').click()
  await expect.element(field).toHaveValue('Investment tips')
  await expect.element(field).toHaveFocus()
  await prompt('How can I save more?').click()
  await expect.element(field).toHaveValue('How can I save more?')
  expect(questions()).toEqual([])
  await userEvent.keyboard('{Enter}')
  await expect.element(field).toHaveValue('')
  await expect.element(log).toMatchTextContent('How can I save more?')
  for (const name of PROMPTS) await expect.element(prompt(name)).not.toBeInTheDocument()
  await expect.element(log).toMatchTextContent('Looking at your figures…')
  bank.get('/advisor', { exchanges: [exchange] })
  go.resolve()
  await expect.element(log).toMatchTextContent('You could set aside $200 a month')
  await expect
    .element(log)
    .toMatchTextContent(
      "You've spent 15% more on dining out than at this point last month: $255.30 compared with $222.",
    )
  await log.getByRole('link', { name: 'Food & Drink' }).click()
  await expect.poll(readAddress).toMatch(/^\/transactions\?category=food&from=2026-08-01&to=2026-08-31/)
  history.back()
  await expect.element(log).toMatchTextContent('You could set aside $200 a month')
  await expect.element(prompt('Investment tips')).not.toBeInTheDocument()
})

test('ignores blank questions, sends by the button or Enter, and clears the conversation after a confirmation', async () => {
  replies([{ code: 'not_understood' }, { code: 'can_answer' }])
  await open('/ai-advisor')
  await field.fill('   ')
  await userEvent.keyboard('{Enter}')
  await expect.element(prompt('Reduce my spending')).toBeVisible()
  expect(questions()).toEqual([])
  await field.fill('Send $50 to Emma')
  await send.click()
  await expect.element(log).toMatchTextContent("I can't answer that.")
  await expect.element(log).toMatchTextContent('You can ask me about your spending')
  // Shift and Enter insert a line break and do not send.
  await field.fill('xyzzy')
  await userEvent.keyboard('{Shift>}{Enter}{/Shift}')
  await expect.element(field).toHaveValue('xyzzy\n')
  await userEvent.keyboard('{Enter}')
  await expect.poll(questions).toEqual([{ question: 'Send $50 to Emma' }, { question: 'xyzzy' }])
  const clear = page.getByRole('button', { name: 'Clear Conversation' })
  const dialog = page.getByRole('dialog')
  await pressByKey(clear)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(questions()).toHaveLength(2)
  await pressByKey(clear)
  await dialog.getByRole('button', { name: 'Clear Conversation' }).click()
  await expect.element(prompt('Reduce my spending')).toBeVisible()
  expect(changeRequests().at(-1)).toMatchObject({ method: 'DELETE', path: '/advisor' })
})

test('texts by others are shown as plain text, and a question that could not be sent is sent once', async () => {
  const name = `<img src=x onerror="document.title=1"> [pay](/transfer) **now** ${'w'.repeat(200)}`
  bank.post('/advisor/questions', networkError())
  await open('/ai-advisor')
  await field.fill('W'.repeat(300))
  await userEvent.keyboard('{Enter}')
  const tryAgainButton = page.getByRole('button', { name: 'Try Again' })
  await expect.element(tryAgainButton).toBeVisible()
  replies([{ code: 'understood', name, link: { screen: 'savings' } }])
  await tryAgainButton.click()
  await expect.element(log).toMatchTextContent('<img src=x')
  expect(log.element().querySelector('img')).toBeNull()
  expect(
    log
      .getByRole('link')
      .elements()
      .map(({ textContent }) => textContent),
  ).toEqual(['Savings'])
  expect(new Set(changeRequests().map(({ key }) => key)).size).toBe(1)
  await page.viewport(320, 700)
  await expect.poll(() => document.documentElement.scrollWidth).toBe(320)
  // Without a connection nothing is sent, and the conversation stays.
  const countBefore = changeRequests().length
  cutConnection()
  await expect.element(page.getByText("You can ask again once you're back online.")).toBeVisible()
  await expect.element(send).toBeDisabled()
  await field.fill('Hello')
  await userEvent.keyboard('{Enter}')
  await expect.element(field).toHaveValue('Hello')
  expect(changeRequests()).toHaveLength(countBefore)
})

test('shows a question in its own direction, on its own side, in every language of the bank', async () => {
  replies([{ code: 'not_understood' }])
  await openIn('ar', '/ai-advisor')
  await page.getByRole('textbox').fill('How much did I spend on food?')
  await userEvent.keyboard('{Enter}')
  await expect.poll(changeRequests).toHaveLength(1)
  const question = page.getByText('How much did I spend on food?', { exact: true })
  await expect.element(question).toHaveStyle({ direction: 'ltr' })
  const middle = () => {
    const { x = NaN, width = NaN } = question.query()?.getBoundingClientRect() ?? {}
    return x + width / 2
  }
  // The question is rendered again once the bank has stored it.
  await expect.poll(middle).toBeLessThan(390 / 2)
})

test('shows the sources of a reply as cards, and sends a suggested question at once', async () => {
  const goal = { id: 'g1', name: 'Vacation Fund', icon: 'plane' as const, savedMinor: 2_450_00, targetMinor: 5_000_00 }
  replies(
    [
      {
        code: 'spent_so_far',
        spentMinor: 900_00,
        percent: null,
        card: {
          kind: 'categories',
          from: '2026-08-01',
          to: '2026-08-31',
          parts: [{ category: 'food', amountMinor: 520_00, percent: 58 }],
        },
      },
      { code: 'saved_in_goals', amountMinor: 2_450_00, card: { kind: 'goals', goals: [{ ...goal, percent: 49 }] } },
      {
        code: 'in_all',
        amountMinor: 45_00,
        card: {
          kind: 'paid',
          name: 'Sarah Johnson',
          isPerson: true,
          amountMinor: 45_00,
          count: 1,
          from: '2026-01-01',
          to: null,
        },
      },
    ],
    ['last_month'],
  )
  await open('/ai-advisor')
  await field.fill('How much did I spend?')
  await userEvent.keyboard('{Enter}')
  const link = (name: string | RegExp) => log.getByRole('link', { name })
  await expect
    .element(link(/Food & Drink/))
    .toHaveAttribute('href', expect.stringContaining('category=food&from=2026-08-01&to=2026-08-31'))
  await expect.element(link('Analytics')).toHaveAttribute('href', '/analytics')
  await expect.element(link('Add to Vacation Fund')).toHaveAttribute('href', '/savings?add=g1')
  await expect.element(link('Send Again')).toBeVisible()
  await prompt('And last month?').click()
  await expect.poll(questions).toEqual([{ question: 'How much did I spend?' }, { question: 'And last month?' }])
  await link('Send Again').first().click()
  await expect.poll(readAddress).toBe('/transfer')
})

test('a wide screen shows suggested questions beside the conversation', async () => {
  replies([{ code: 'balance', amountMinor: 5_00, card: { kind: 'balance', amountMinor: 5_00 } }])
  await page.viewport(1280, 800)
  await open('/ai-advisor')
  const aside = page.getByRole('complementary', { name: 'What You Can Ask' })
  await aside.getByRole('button', { name: "What's my balance?" }).click()
  await expect.poll(questions).toEqual([{ question: "What's my balance?" }])
  await expect.element(log.getByRole('link', { name: 'Add Money' })).toBeVisible()
})
