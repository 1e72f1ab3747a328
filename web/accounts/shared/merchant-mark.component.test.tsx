import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { router } from '#web/app/routes.tsx'
import { expectNoAxeViolations } from '#web/test/accessible.ts'
import { open } from '#web/test/app.tsx'
import { bank } from '#web/test/bank.ts'

/** Returns the color and content of the mark beside a name. */
const markIn = (element: Element) => {
  const mark = element.querySelector('[data-mark]')
  const color = [...(mark?.classList ?? [])].find((name) => name.startsWith('bg-mark-'))
  return { colour: color, drawn: mark?.querySelector('use')?.getAttribute('href')?.split('#')[1] ?? mark?.textContent }
}
const row = (name: string) =>
  page
    .getByRole('main')
    .getByRole('link', { name: new RegExp(`^${name}`) })
    .first()

test('a merchant has the same logo wherever it appears', async () => {
  bank.post('/notifications/read', { unread: 0 })
  await open('/transactions')
  await expect.element(row('Copper Kettle Coffee')).toBeVisible()
  const coffee = { colour: 'bg-mark-copper', drawn: 'copper-kettle-coffee' }
  expect(markIn(row('Copper Kettle Coffee').element())).toEqual(coffee)
  // The category is still shown beside the mark as text.
  await expect.element(row('Copper Kettle Coffee')).toMatchTextContent('Food & Drink')
  await router.navigate('/notifications')
  const notice = page.getByRole('main').getByRole('link', { name: /Card payment/ })
  await expect.element(notice).toBeVisible()
  expect(markIn(notice.element())).toEqual(coffee)
  await router.navigate('/rewards')
  const points = page.getByRole('main').getByText('Copper Kettle Coffee').first()
  await expect.element(points).toBeVisible()
  expect(markIn(points.element().closest('li') ?? document.body)).toEqual(coffee)
})

test('a biller has the same logo among upcoming payments and among direct debits', async () => {
  await open('/dashboard')
  const energy = { colour: 'bg-mark-sky', drawn: 'brightwater-energy' }
  await expect.element(row('Brightwater Energy')).toBeVisible()
  expect(markIn(row('Brightwater Energy').element())).toEqual(energy)
  await router.navigate('/payment-methods')
  const debit = page.getByRole('button', { name: /^Brightwater Energy/ })
  await expect.element(debit).toBeVisible()
  expect(markIn(debit.element())).toEqual(energy)
  await expectNoAxeViolations('the direct debits')
})

test('a merchant without a picture has initials on a color of its name, in any spelling', async () => {
  const recording = await bank.recorded('/transactions')
  const coffee = recording.transactions.find(({ name }) => name.params['name'] === 'Copper Kettle Coffee')
  if (!coffee) throw new Error('The sample customer bought no coffee')
  const buildTransaction = (id: string, name: string) => ({
    ...coffee,
    id,
    name: { code: 'name' as const, params: { name } },
  })
  const transactions = [
    buildTransaction('1', 'Zum Goldenen Bären'),
    buildTransaction('2', 'ZUM GOLDENEN BAREN'),
    buildTransaction('3', 'Other Place'),
  ]
  bank.get('/transactions', { transactions, nextCursor: null })
  await open('/transactions')
  await expect.element(row('Zum Goldenen Bären')).toBeVisible()
  const [bear, capitalBear] = [row('Zum Goldenen Bären'), row('ZUM GOLDENEN BAREN')].map((locator) =>
    markIn(locator.element()),
  )
  expect(bear).toMatchObject({ drawn: 'ZB', colour: expect.stringMatching(/^bg-mark-/) })
  expect(capitalBear).toEqual(bear)
  await expectNoAxeViolations('the transactions')
})
