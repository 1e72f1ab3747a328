import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { router } from '#web/app/routes.tsx'
import { expectAccessible } from '#web/test/accessible.ts'
import { open } from '#web/test/app.tsx'
import { bank } from '#web/test/bank.ts'

/** The mark beside a name: its colour, and what stands on it. */
const markIn = (element: Element) => {
  const mark = element.querySelector('[data-mark]')
  const colour = [...(mark?.classList ?? [])].find((name) => name.startsWith('bg-mark-'))
  return { colour, drawn: mark?.querySelector('use')?.getAttribute('href')?.split('#')[1] ?? mark?.textContent }
}
const row = (name: string) =>
  page
    .getByRole('main')
    .getByRole('link', { name: new RegExp(`^${name}`) })
    .first()

test('a merchant has the same mark wherever it appears', async () => {
  bank.post('/notifications/read', { unread: 0 })
  await open('/transactions')
  await expect.element(row('Copper Kettle Coffee')).toBeVisible()
  const coffee = { colour: 'bg-mark-copper', drawn: 'copper-kettle-coffee' }
  expect(markIn(row('Copper Kettle Coffee').element())).toEqual(coffee)
  // Its category stays beside it in words.
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

test('a biller has the same mark in what is coming up and among the direct debits', async () => {
  await open('/dashboard')
  const energy = { colour: 'bg-mark-sky', drawn: 'brightwater-energy' }
  await expect.element(row('Brightwater Energy')).toBeVisible()
  expect(markIn(row('Brightwater Energy').element())).toEqual(energy)
  await router.navigate('/payment-methods')
  const debit = page.getByRole('button', { name: /^Brightwater Energy/ })
  await expect.element(debit).toBeVisible()
  expect(markIn(debit.element())).toEqual(energy)
  await expectAccessible('the direct debits')
})

test('a merchant without a picture has initials on a colour of its name, however it is written', async () => {
  const known = await bank.recorded('/transactions')
  const coffee = known.transactions.find(({ name }) => name.params['name'] === 'Copper Kettle Coffee')
  if (!coffee) throw new Error('The sample customer bought no coffee')
  const named = (id: string, name: string) => ({ ...coffee, id, name: { code: 'name' as const, params: { name } } })
  const transactions = [named('1', 'Zum Goldenen Bären'), named('2', 'ZUM GOLDENEN BAREN'), named('3', 'Other Place')]
  bank.get('/transactions', { transactions, nextCursor: null })
  await open('/transactions')
  await expect.element(row('Zum Goldenen Bären')).toBeVisible()
  const [bear, shouted] = [row('Zum Goldenen Bären'), row('ZUM GOLDENEN BAREN')].map((one) => markIn(one.element()))
  expect(bear).toMatchObject({ drawn: 'ZB', colour: expect.stringMatching(/^bg-mark-/) })
  expect(shouted).toEqual(bear)
  await expectAccessible('the transactions')
})
